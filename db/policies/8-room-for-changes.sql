-- Rows that change soon after they were written: the new one finds its place on the same page, so that the log holds what
-- differs and not the whole row again.
alter table charges set (fillfactor = 70);
alter table transaction_requests set (fillfactor = 70);
alter table idempotency_keys set (fillfactor = 70);
