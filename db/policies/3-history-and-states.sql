-- The vault role claims nothing across clients, but expired CVVs are swept by time alone.
drop policy if exists expired on vault.card_cvv;
create policy expired on vault.card_cvv for delete to trilho_vault using (expires_at < now());
drop policy if exists expired_seen on vault.card_cvv;
create policy expired_seen on vault.card_cvv for select to trilho_vault using (expires_at < now());
-- The sweep locks what it deletes, which the server counts as the beginning of an update; no update passes.
drop policy if exists expired_locked on vault.card_cvv;
create policy expired_locked on vault.card_cvv for update to trilho_vault using (expires_at < now()) with check (false);

-- Append-only: nobody rewrites history, not even by hand.
create or replace function append_only() returns trigger language plpgsql as $$
begin raise exception '% is append-only', tg_table_name using errcode = '23514'; end $$;

do $$
declare t text;
begin
  foreach t in array array['journals', 'transfers', 'ledger_checkpoints', 'audit_log', 'audit_chain', 'session_history', 'purchase_moves',
    'dispute_notes', 'monitor_events', 'routing_decisions', 'sale_plan_rates', 'flow_changes', 'statement_lines',
    'subscription_changes'] loop
    execute format('drop trigger if exists %I on %I', t || '_immutable', t);
    execute format('create trigger %I before update or delete on %I for each row execute function append_only()', t || '_immutable', t);
    execute format('drop trigger if exists %I on %I', t || '_no_truncate', t);
    execute format('create trigger %I before truncate on %I for each statement execute function append_only()', t || '_no_truncate', t);
    execute format('revoke update, delete, truncate on %I from trilho_app, trilho_system', t);
  end loop;
end $$;

-- The chain over the audit rows of each account. Links are made by audit_link(), not by the writers: a lock that all
-- writers of an account share would make its payments wait for one another.
create or replace function audit_text(a audit_log) returns text language sql stable as $$
  select jsonb_build_array(a.id, a.client_id, a.actor, a.action, a.object, a.object_id, a.before, a.after, a.reason,
    a.second_actor, a.ip, a.request_id, (extract(epoch from a.at) * 1000)::bigint,
    (extract(epoch from a.account_at) * 1000)::bigint)::text
$$;
create or replace function audit_hash(previous bytea, a audit_log) returns bytea language sql stable as $$
  select sha256(coalesce(previous, ''::bytea) || convert_to(audit_text(a), 'UTF8'))
$$;

create or replace function audit_waits() returns trigger language plpgsql as $$
begin
  insert into audit_waiting (id, client_id) values (new.id, new.client_id);
  return null;
end $$;
drop trigger if exists audit_log_waits on audit_log;
create trigger audit_log_waits after insert on audit_log for each row execute function audit_waits();

create or replace function audit_link(most int) returns int language plpgsql as $$
declare w record; of_client uuid; place bigint; link bytea; linked int := 0;
begin
  perform pg_advisory_xact_lock(4782003);
  for w in select q.client_id, q.id, a as entry from audit_waiting q join audit_log a on a.id = q.id
            order by q.client_id, q.id limit most loop
    if w.client_id is distinct from of_client then
      of_client := w.client_id; place := 0; link := null;
      select c.position, c.hash into place, link from audit_chain c
       where c.client_id = of_client order by c.position desc limit 1;
      place := coalesce(place, 0);
    end if;
    place := place + 1;
    link := audit_hash(link, w.entry);
    insert into audit_chain (id, client_id, position, hash) values (w.id, of_client, place, link);
    delete from audit_waiting where id = w.id;
    linked := linked + 1;
  end loop;
  return linked;
end $$;

-- What was written before there was a chain takes its place in it.
set role trilho_system;
insert into audit_waiting (id, client_id)
  select id, client_id from audit_log where not exists (select from audit_chain) and not exists (select from audit_waiting);
reset role;

-- No transfer joins a journal of another transaction: both carry the transaction's id, a trigger compares them, and
-- nobody but the database says which it is.
do $$
declare
  t text;
  given text;
begin
  foreach t in array array['journals', 'transfers'] loop
    select string_agg(quote_ident(attname), ', ' order by attnum) into given from pg_attribute
     where attrelid = t::regclass and attnum > 0 and not attisdropped and attname <> 'tx';
    execute format('revoke insert on %I from trilho_app, trilho_system', t);
    execute format('grant insert (%s) on %I to trilho_app, trilho_system', given, t);
  end loop;
end $$;

-- The two signed sides of each transfer: debit +, credit −. Who reads it sees the transfers they may see.
create or replace view postings with (security_invoker = true) as
  select journal_id, (2 * line - 1)::smallint as line, client_id, debit_account as account_id, merchant_id, currency, memo,
         amount from transfers
  union all
  select journal_id, (2 * line)::smallint, client_id, credit_account, merchant_id, currency, memo, -amount from transfers;
revoke all on postings from trilho_app, trilho_system, trilho_limited;
grant select on postings to trilho_app, trilho_system, trilho_limited;

-- Of a receivable only this changes: when it is paid, and what that costs.
create or replace function receivable_frozen() returns trigger language plpgsql as $$
begin raise exception 'receivable %: what was sold never changes', old.id using errcode = '23514'; end $$;
drop trigger if exists receivables_frozen on receivables;
create trigger receivables_frozen before update on receivables for each row
  when ((new.id, new.client_id, new.merchant_id, new.charge_id, new.journal_id, new.seller_id, new.type, new.installment,
         new.installments, new.currency, new.gross, new.fee, new.payment_method, new.payment_arrangement,
         new.original_payment_date, new.reduces)
        is distinct from
        (old.id, old.client_id, old.merchant_id, old.charge_id, old.journal_id, old.seller_id, old.type, old.installment,
         old.installments, old.currency, old.gross, old.fee, old.payment_method, old.payment_arrangement,
         old.original_payment_date, old.reduces))
  execute function receivable_frozen();
revoke delete, truncate on receivables from trilho_app, trilho_system;

-- Of a batch, a line, a transfer, a file and a prepayment nothing that is money ever changes.
create or replace function money_frozen() returns trigger language plpgsql as $$
begin raise exception '% %: what was decided never changes', tg_table_name, old.id using errcode = '23514'; end $$;
do $$
declare t record;
begin
  for t in
    select * from (values
      ('payout_batches', 'id, client_id, merchant_id, seller_id, currency, amount, fee_amount, withdrawal_fee_amount,
        total_fee_amount, balance_amount, credit_amount, refund_amount, debit_adjustment_amount, credit_adjustment_amount,
        final_balance, payment_date, feature, payment_method, payment_arrangement'),
      ('payout_lines', 'id, client_id, batch_id, type, amount, charge_id, source_type, source_id, previous_batch_id'),
      ('payout_transfers', 'id, client_id, merchant_id, seller_id, batch_id, reference, rail, amount, currency, destination'),
      ('payout_files', 'id, client_id, merchant_id, bank, agreement, sequence, content, transfers, amount, created_at'),
      ('payout_returns', 'id, client_id, merchant_id, name, digest, content, transfers, created_at'),
      ('statement_files', 'id, client_id, merchant_id, provider_id, name, digest, content, uploaded_by, created_at'),
      ('seller_adjustments', 'id, client_id, merchant_id, seller_id, kind, amount, currency, transfer_id'),
      ('money_proposals', 'id, client_id, merchant_id, kind, subject_id, details, reason, asked_by, expires_at'),
      ('refund_documents', 'id, client_id, charge_id, type, locale, refunds, created_at'),
      ('prepayments', 'id, client_id, merchant_id, seller_id, automatic, gross_amount, net_amount, fee_amount,
        markup_amount, monthly_rate_bps, markup_bps, receipt_dates, end_date, payment_date, expires_at'),
      ('prepayment_items', 'id, client_id, prepayment_id, receivable_id, settlement_date, days_to_anticipate,
        gross_amount, net_amount, fee_amount, markup_amount')
    ) as frozen (relname, columns)
  loop
    execute format('drop trigger if exists %I on %I', t.relname || '_frozen', t.relname);
    execute format('create trigger %I before update on %I for each row when ((%s) is distinct from (%s))
      execute function money_frozen()', t.relname || '_frozen', t.relname,
      regexp_replace(t.columns, '(\w+)', 'new.\1', 'g'), regexp_replace(t.columns, '(\w+)', 'old.\1', 'g'));
    execute format('revoke delete, truncate on %I from trilho_app, trilho_system', t.relname);
  end loop;
end $$;

-- A file tells a bank of exactly the transfers that it carries, checked when the transaction ends.
create or replace function payout_file_adds_up() returns trigger language plpgsql as $$
declare n int; s bigint;
begin
  select count(*), coalesce(sum(amount), 0) into n, s from payout_transfers where file_id = new.id;
  if n <> new.transfers or s <> new.amount then
    raise exception 'payout file %: % transfers of % cents, not % of %', new.id, n, s, new.transfers, new.amount
      using errcode = '23514';
  end if;
  return null;
end $$;
drop trigger if exists payout_files_add_up on payout_files;
create constraint trigger payout_files_add_up after insert on payout_files
  deferrable initially deferred for each row execute function payout_file_adds_up();

-- What a file carries, it carries for good: nobody joins it later, and nobody leaves it.
create or replace function payout_file_closed() returns trigger language plpgsql as $$
begin raise exception 'transfer %: a file is never changed', old.id using errcode = '23514'; end $$;
drop trigger if exists payout_transfers_filed_once on payout_transfers;
create trigger payout_transfers_filed_once before update on payout_transfers for each row
  when (old.file_id is not null
        and (new.file_id, new.file_number, new.attempted_at) is distinct from (old.file_id, old.file_number, old.attempted_at))
  execute function payout_file_closed();

-- Money leaves for sellers that may receive it; what they were when it left is kept beside it.
create or replace function transfer_leaves() returns trigger language plpgsql as $$
begin
  select s.status into new.left_as from sellers s where s.id = new.seller_id;
  if new.left_as is null or new.left_as not in ('active', 'partial')
     or exists (select from payout_holds h where h.seller_id = new.seller_id and h.lifted_at is null) then
    raise exception 'transfer %: nothing leaves for seller %', new.id, new.seller_id using errcode = '23514';
  end if;
  return new;
end $$;
drop trigger if exists payout_transfers_leave on payout_transfers;
create trigger payout_transfers_leave before update of attempted_at on payout_transfers for each row
  when (old.attempted_at is null and new.attempted_at is not null) execute function transfer_leaves();

-- A reversal takes its journal back, of each account the opposite; what was released meanwhile, of what is available.
create or replace function reversal_differs(reversal uuid) returns boolean language sql stable as $$
  select exists (
    select from journals j left join journals o on o.id = j.reverses
     where j.id = reversal and (o.id is null or o.reverses is not null or o.client_id <> j.client_id
       or o.charge_id is distinct from j.charge_id))
  or exists (
    select from journals j join postings p on p.journal_id in (j.id, j.reverses) join ledger_accounts a on a.id = p.account_id
     where j.id = reversal
     group by replace(a.kind, '_pending', '_available'), a.seller_id, a.arrangement having sum(p.amount) <> 0)
  or exists (
    select from journals j join receivables r on r.journal_id in (j.id, j.reverses)
     where j.id = reversal group by r.seller_id having sum(r.gross) <> 0 or sum(r.fee) <> 0)
$$;
create or replace function reversal_mirrors() returns trigger language plpgsql as $$
begin
  if reversal_differs(new.id) then
    raise exception 'journal %: a reversal takes back what journal % says, and nothing else', new.id, new.reverses
      using errcode = '23514';
  end if;
  return null;
end $$;
drop trigger if exists journals_mirror on journals;
create constraint trigger journals_mirror after insert on journals
  deferrable initially deferred for each row when (new.reverses is not null) execute function reversal_mirrors();

-- Status changes only along the rows that lib/*/machine.ts declares; the rows are written here at migration time.
create table if not exists legal_transitions (
  machine text not null, row_id text not null, from_status text not null, to_status text not null,
  primary key (machine, row_id, from_status, to_status));
grant select on legal_transitions to trilho_app, trilho_system;
revoke insert, update, delete, truncate on legal_transitions from trilho_app, trilho_system;

-- The trigger asks no table: whenever the rows are written, they are written into its function.
create or replace procedure hold_transitions() language plpgsql as $$
declare cases text;
begin
  select string_agg(format('when %L then %L::text[]', machine, moves), ' ' order by machine) into cases
    from (select machine, array_agg(distinct from_status || ' ' || to_status) as moves
            from legal_transitions group by machine) each_machine;
  execute format($made$
    create or replace function legal_transition() returns trigger language plpgsql as $moves$
    begin
      if old.status || ' ' || new.status = any (case tg_argv[0] when '' then '{}'::text[] %s end) then return new; end if;
      raise exception '%% %% may not go from %% to %%', tg_argv[0], old.id, old.status, new.status using errcode = '23514';
    end $moves$ $made$, coalesce(cases, ''));
end $$;
revoke execute on procedure hold_transitions() from public;
call hold_transitions();

do $$
declare t record;
begin
  for t in
    select * from (values
      ('charges', 'charge'),
      ('purchases', 'purchase'),
      ('purchase_payments', 'purchase payment'),
      ('purchase_operations', 'purchase operation'),
      ('receivables', 'receivable'),
      ('flows', 'flow'),
      ('clients', 'account'),
      ('seller_reviews', 'registration review'),
      ('payout_batches', 'payment batch'),
      ('payout_transfers', 'transfer'),
      ('prepayments', 'prepayment'),
      ('subscriptions', 'subscription'),
      ('subscription_cycles', 'subscription cycle'),
      ('subscription_mandates', 'subscription mandate'),
      ('reports', 'report'),
      ('sessions', 'session')
    ) as guarded (relname, machine)
  loop
    execute format('drop trigger if exists %I on %I', t.relname || '_legal_transition', t.relname);
    execute format('create trigger %I before update of status on %I for each row
      when (new.status is distinct from old.status) execute function legal_transition(%L)',
      t.relname || '_legal_transition', t.relname, t.machine);
  end loop;
end $$;
-- What decided payments is what replays and their people look at: a version that was active stays as it was.
create or replace function flow_frozen() returns trigger language plpgsql as $$
begin
  if (new.client_id, new.family_id, new.payment_method, new.major) is distinct from
     (old.client_id, old.family_id, old.payment_method, old.major)
     or (old.status <> 'draft' and new.root is distinct from old.root) then
    raise exception 'flow %: what decided never changes', old.id using errcode = '23514';
  end if;
  return new;
end $$;
drop trigger if exists flows_frozen on flows;
create trigger flows_frozen before update on flows for each row execute function flow_frozen();
revoke delete, truncate on flows from trilho_app, trilho_system;

-- Purchases, their cards and their operations begin pending; nothing of them is ever deleted.
create or replace function begins_pending() returns trigger language plpgsql as $$
begin raise exception '% begins as pending, not as %', tg_table_name, new.status using errcode = '23514'; end $$;
do $$
declare t text;
begin
  foreach t in array array['purchases', 'purchase_payments', 'purchase_operations'] loop
    execute format('drop trigger if exists %I on %I', t || '_begins_pending', t);
    execute format('create trigger %I before insert on %I for each row when (new.status <> ''pending'')
      execute function begins_pending()', t || '_begins_pending', t);
    execute format('revoke delete, truncate on %I from trilho_app, trilho_system', t);
  end loop;
end $$;

-- Two or three cards whose amounts are the purchase's, checked when the transaction ends.
create or replace function purchase_adds_up() returns trigger language plpgsql as $$
declare p uuid; n int; s bigint; total bigint;
begin
  if tg_table_name = 'purchases' then p := new.id; else p := new.purchase_id; end if;
  select count(*), coalesce(sum(amount), 0) into n, s from purchase_payments where purchase_id = p;
  select amount into total from purchases where id = p;
  if n not between 2 and 3 or s <> total then
    raise exception 'purchase %: % cards of % cents do not make %', p, n, s, total using errcode = '23514';
  end if;
  return null;
end $$;
drop trigger if exists purchases_add_up on purchases;
create constraint trigger purchases_add_up after insert or update of amount on purchases
  deferrable initially deferred for each row execute function purchase_adds_up();
drop trigger if exists purchase_payments_add_up on purchase_payments;
create constraint trigger purchase_payments_add_up after insert or update of amount, purchase_id on purchase_payments
  deferrable initially deferred for each row execute function purchase_adds_up();

create or replace function asked_stays() returns trigger language plpgsql as $$
begin raise exception '% %: what was asked never changes', tg_argv[0], old.id using errcode = '23514'; end $$;
drop trigger if exists purchases_frozen on purchases;
create trigger purchases_frozen before update on purchases for each row
  when (new.client_id <> old.client_id or new.merchant_id <> old.merchant_id or new.amount <> old.amount
        or new.currency <> old.currency or new.capture <> old.capture)
  execute function asked_stays('purchase');
drop trigger if exists charges_frozen on charges;
create trigger charges_frozen before update on charges for each row
  when (new.original_amount <> old.original_amount or new.client_id <> old.client_id
        or new.merchant_id <> old.merchant_id or new.currency <> old.currency)
  execute function asked_stays('charge');

-- Exact totals and figures at any size: one row for each change that shows in them, rolled up in the background.
create or replace function charge_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into charge_changes (client_id, hour, merchant_id, method, currency, card_id, amount,
        status, provider, decline_code, captured, refunded,
        was_status, was_provider, was_decline_code, was_captured, was_refunded)
      values (new.client_id, date_trunc('hour', new.created_at, 'UTC'), new.merchant_id, new.payment_type, new.currency,
        new.card_id, new.original_amount,
        new.status, coalesce(new.provider_type, ''), coalesce(new.decline_code, ''), new.captured_amount, new.refunded_amount,
        old.status, coalesce(old.provider_type, ''), coalesce(old.decline_code, ''), old.captured_amount, old.refunded_amount);
    return null;
  end if;
  insert into charge_changes (client_id, hour, merchant_id, method, currency, card_id, amount,
      status, provider, decline_code, captured, refunded)
    values (new.client_id, date_trunc('hour', new.created_at, 'UTC'), new.merchant_id, new.payment_type, new.currency,
      new.card_id, new.original_amount,
      new.status, coalesce(new.provider_type, ''), coalesce(new.decline_code, ''), new.captured_amount, new.refunded_amount);
  return null;
end $$;
drop trigger if exists charges_made on charges;
create trigger charges_made after insert on charges for each row execute function charge_changed();
drop trigger if exists charges_changed on charges;
create trigger charges_changed after update of status, provider_type, decline_code, captured_amount, refunded_amount
  on charges for each row
  when ((new.status, new.provider_type, new.decline_code, new.captured_amount, new.refunded_amount)
        is distinct from (old.status, old.provider_type, old.decline_code, old.captured_amount, old.refunded_amount))
  execute function charge_changed();

create or replace function outbox_wakes() returns trigger language plpgsql as $$
begin perform pg_notify('outbox', ''); return null; end $$;
drop trigger if exists outbox_notify on outbox;
create trigger outbox_notify after insert on outbox for each statement execute function outbox_wakes();

-- What was tried on a link, or by a public key alone or for its subscription, is answered when its payment is: at the transaction's end, with
-- the evidence in sight.
create or replace function card_try_answered() returns trigger language plpgsql as $$
begin
  update card_tries t set outcome = case
      when new.status in ('pre_authorized', 'authorized', 'capture_pending') then 'approved'
      when new.status = 'failed' and exists (
        select from transaction_requests r where r.charge_id = new.id and r.state = 'declined') then 'declined'
      else 'other' end
   where t.outcome is null
     and (t.charge_id = new.id or (t.purchase_id = new.purchase_id and t.slot_index = (
       select p.slot_index from purchase_payments p where p.charge_id = new.id)));
  return null;
end $$;
drop trigger if exists charges_answer_tries on charges;
create constraint trigger charges_answer_tries after update of status on charges
  deferrable initially deferred for each row
  when (old.status = 'pending' and new.status <> 'pending'
        and (new.session_id is not null or new.created_by_key is not null or new.subscription_id is not null))
  execute function card_try_answered();

-- News of payments whose buyer is told by e-mail: written with their event, so that none is missed. What happens to a
-- card of a purchase is the purchase's. A subscription writes of its charges itself, but for what goes back of them.
create or replace function buyer_moment() returns trigger language plpgsql as $$
declare
  paid uuid[] := case new.object when 'purchase' then array[new.entity_id]
    else array[new.entity_id, (select c.purchase_id from charges c where c.id = new.entity_id)] end;
begin
  if not (new.object = 'transaction' and new.event in ('voided', 'partially_voided'))
     and not exists (select from payment_buyers b where b.payment_id = any(paid)) then return null; end if;
  insert into buyer_moments (event_id, payment_id, client_id)
  select new.id, b.payment_id, new.client_id from payment_buyers b where b.payment_id = any(paid)
  union all
  select new.id, c.id, new.client_id from charges c
   where new.object = 'transaction' and new.event in ('voided', 'partially_voided')
     and c.id = new.entity_id and c.subscription_id is not null
  on conflict do nothing;
  if found then perform buyer_mails_due(new.client_id); end if;
  return null;
end $$;
create or replace function buyer_mails_due(client uuid) returns void language sql as $$
  insert into outbox (id, client_id, name, data, created_at) values (gen_random_uuid(), client, 'buyer-mails/due', '{}', now())
$$;
drop trigger if exists events_buyer_moment on events;
create trigger events_buyer_moment after insert on events
  for each row when (new.object in ('transaction', 'purchase')) execute function buyer_moment();

-- Money that came late or twice goes back without an event of its own.
create or replace function buyer_surplus() returns trigger language plpgsql as $$
begin
  insert into buyer_moments (event_id, payment_id, client_id)
  select new.id, b.payment_id, new.client_id from payment_buyers b where b.payment_id = new.charge_id
  on conflict do nothing;
  if found then perform buyer_mails_due(new.client_id); end if;
  return null;
end $$;
drop trigger if exists transaction_requests_surplus on transaction_requests;
create trigger transaction_requests_surplus after update of state on transaction_requests
  for each row when (new.state = 'approved' and old.state <> 'approved' and new.details ? 'surplus')
  execute function buyer_surplus();

