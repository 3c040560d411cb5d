-- What the people of an account are told of, with its cause: what needs them, what they or their colleagues did.
create or replace function notice_of(client uuid, what text, where_to text, moment timestamptz, called text default null,
  cents bigint default null, money text default null, merchant uuid default null, asked uuid default null)
  returns void language sql as $$
  insert into notices (id, client_id, kind, merchant_id, asked_by, name, amount, currency, path, at, created_at)
  values (gen_random_uuid(), client, what, merchant, asked, called, cents, money, where_to, moment, now());
  insert into outbox (id, client_id, name, data, created_at)
  values (gen_random_uuid(), client, 'notices/written', '{}', now())
$$;

create or replace function notice_of_review() returns trigger language plpgsql as $$
begin
  perform notice_of(new.client_id, 'payment_in_review',
    case tg_table_name when 'charges' then '/dashboard/payments/' else '/dashboard/reviews/' end || new.id,
    coalesce(new.review_since, now()), null, (to_jsonb(new)->>tg_argv[0])::bigint, new.currency, new.merchant_id);
  return null;
end $$;
drop trigger if exists charges_notice on charges;
create trigger charges_notice after update of review_reason on charges for each row
  when (new.review_reason is not null and old.review_reason is null and new.purchase_id is null)
  execute function notice_of_review('original_amount');
drop trigger if exists purchases_notice on purchases;
create trigger purchases_notice after update of review_reason on purchases for each row
  when (new.review_reason is not null and old.review_reason is null)
  execute function notice_of_review('amount');

create or replace function notice_of_chargeback() returns trigger language plpgsql as $$
begin
  perform notice_of(new.client_id, 'chargeback', '/dashboard/disputes/' || new.id, new.created_at, null, new.amount,
    c.currency, c.merchant_id) from charges c
   where c.id = new.charge_id and (new.request_type = 'charge_back' or c.payment_type = 'pix');
  return null;
end $$;
drop trigger if exists transaction_requests_notice on transaction_requests;
create trigger transaction_requests_notice after insert on transaction_requests for each row
  when (new.request_type = 'charge_back' or new.request_status_reason = 'forced_by_payer_bank')
  execute function notice_of_chargeback();

-- What was said to be done, and failed at the provider after all.
create or replace function notice_of_failure() returns trigger language plpgsql as $$
begin
  perform notice_of(new.client_id, tg_argv[0], '/dashboard/payments/' || coalesce(c.purchase_id, c.id), new.updated_at, null,
    new.amount, c.currency, c.merchant_id) from charges c where c.id = new.charge_id;
  return null;
end $$;
drop trigger if exists transaction_requests_refund_failed on transaction_requests;
create trigger transaction_requests_refund_failed after update of state on transaction_requests for each row
  when (new.state = 'reversed' and old.state = 'approved' and new.request_type = 'revert_void')
  execute function notice_of_failure('refund_failed');
drop trigger if exists transaction_requests_capture_failed on transaction_requests;
create trigger transaction_requests_capture_failed after insert on transaction_requests for each row
  when (new.request_status_reason = 'capture_failed_at_provider')
  execute function notice_of_failure('capture_failed');

create or replace function notice_of_unpaid() returns trigger language plpgsql as $$
begin
  perform notice_of(new.client_id, 'subscription_unpaid', '/dashboard/subscriptions/' || new.id, new.updated_at, new.name,
    new.amount, new.currency, new.merchant_id);
  return null;
end $$;
drop trigger if exists subscriptions_notice on subscriptions;
create trigger subscriptions_notice after update of status on subscriptions for each row
  when (new.status = 'unpaid' and old.status <> 'unpaid') execute function notice_of_unpaid();

create or replace function notice_of_mandate() returns trigger language plpgsql as $$
begin
  perform notice_of(new.client_id, 'mandate_canceled', '/dashboard/subscriptions/' || s.id, new.updated_at, s.name, null,
    null, s.merchant_id) from subscriptions s where s.id = new.subscription_id;
  return null;
end $$;
drop trigger if exists subscription_mandates_notice on subscription_mandates;
create trigger subscription_mandates_notice after update of status on subscription_mandates for each row
  when (new.status = 'canceled' and new.end_reason = 'payer') execute function notice_of_mandate();

-- Of a sandbox account whose limits do not act nobody is told: nothing was blocked.
create or replace function notice_of_alarm() returns trigger language plpgsql as $$
begin
  perform notice_of(new.client_id, case new.kind when 'cards_paused' then 'cards_paused' else 'card_testing' end,
    '/dashboard/settings/protection', new.raised_at) from clients c left join card_protection p on p.client_id = c.id
   where c.id = new.client_id and (c.mode = 'live' or p.is_on);
  return null;
end $$;
drop trigger if exists card_alarms_notice on card_alarms;
create trigger card_alarms_notice after insert on card_alarms for each row
  when (new.cause <> 'person') execute function notice_of_alarm();

-- What stands in the audit log anyway.
create or replace function notice_of_audit() returns trigger language plpgsql as $$
declare
  money text; merchant uuid;
  person uuid := substring(new.actor from '^operator:(.+)$')::uuid;
begin
  case new.action
    when 'charge.refund.propose' then
      select c.currency, c.merchant_id into money, merchant from charges c where c.id = new.object_id::uuid;
      perform notice_of(new.client_id, 'refund_waiting', '/dashboard/payments/' || new.object_id, new.account_at, null,
        (new.after->>'amount')::bigint, money, merchant, person);
    when 'charge.hand_back.propose', 'charge.resolve.propose' then
      select c.currency, c.merchant_id into money, merchant from charges c where c.id = new.object_id::uuid;
      perform notice_of(new.client_id, 'review_waiting', '/dashboard/payments/' || new.object_id, new.account_at, null,
        (new.after->>'amount')::bigint, money, merchant, person);
    when 'purchase.resolve.propose' then
      select p.merchant_id into merchant from purchases p where p.id = new.object_id::uuid;
      perform notice_of(new.client_id, 'review_waiting', '/dashboard/reviews/' || new.object_id, new.account_at,
        merchant => merchant, asked => person);
    when 'prepayment.propose' then
      select p.merchant_id into merchant from prepayments p where p.id = new.object_id::uuid;
      perform notice_of(new.client_id, 'prepayment_waiting', '/dashboard/payouts/prepayments/' || new.object_id,
        new.account_at, null, (new.after->>'grossAmount')::bigint, 'BRL', merchant, person);
    when 'provider.rotation.asked' then
      perform notice_of(new.client_id, 'credentials_waiting', '/dashboard/merchants', new.account_at,
        asked => person);
    when 'secret_key.create', 'secret_key.rotate' then
      perform notice_of(new.client_id, 'new_key', '/dashboard/developers/keys', new.account_at);
    else
      perform notice_of(new.client_id,
        case new.action when 'webhook.fail' then 'webhook_failing' when 'webhook.recover' then 'webhook_recovered'
                        when 'webhook.reopen' then 'webhook_recovered' else 'webhook_paused' end,
        '/dashboard/developers/webhooks/' || new.object_id, new.account_at,
        (select w.endpoint from webhooks w where w.id = new.object_id::uuid));
  end case;
  return null;
end $$;
drop trigger if exists audit_log_notice on audit_log;
create trigger audit_log_notice after insert on audit_log for each row
  when (new.action in ('charge.refund.propose', 'charge.hand_back.propose', 'charge.resolve.propose', 'purchase.resolve.propose',
    'provider.rotation.asked', 'prepayment.propose', 'secret_key.create', 'secret_key.rotate', 'webhook.fail', 'webhook.recover',
    'webhook.reopen', 'webhook.pause', 'webhook.gone'))
  execute function notice_of_audit();

-- What was withdrawn, refused, approved or cannot be done any more waits for nobody; whoever asked is told how it ended.
create or replace function notice_ended() returns trigger language plpgsql as $$
declare
  ending text := substring(new.action from '[a-z]+$');
  page text := case new.object when 'purchase' then '/dashboard/reviews/' else '/dashboard/payments/' end || new.object_id;
begin
  delete from notices where id = (
    select id from notices where client_id = new.client_id and kind = case when new.action like 'charge.refund.%' then 'refund_waiting' else 'review_waiting' end
       and path = page and amount is not distinct from (new.after->>'amount')::bigint order by created_at desc, id desc limit 1);
  if new.action like 'charge.refund.%' and ending <> 'withdraw' and new.after->>'by' like 'operator:%' then
    insert into notices (id, client_id, kind, merchant_id, operator_id, amount, currency, path, at, created_at)
    select gen_random_uuid(), new.client_id,
           case ending when 'approve' then 'refund_approved' when 'refuse' then 'refund_refused' else 'refund_lapsed' end,
           c.merchant_id, substring(new.after->>'by' from '^operator:(.+)$')::uuid, (new.after->>'amount')::bigint, c.currency,
           page, new.account_at, now()
      from charges c where c.id = new.object_id::uuid;
    insert into outbox (id, client_id, name, data, created_at) values (gen_random_uuid(), new.client_id, 'notices/written', '{}', now());
  end if;
  return null;
end $$;
drop trigger if exists audit_log_notice_withdrawn on audit_log;
drop function if exists notice_withdrawn();
drop trigger if exists audit_log_notice_ended on audit_log;
create trigger audit_log_notice_ended after insert on audit_log for each row
  when (new.action in ('charge.refund.withdraw', 'charge.refund.refuse', 'charge.refund.approve', 'charge.refund.lapse',
    'charge.hand_back.withdraw', 'charge.hand_back.refuse', 'charge.hand_back.approve', 'charge.resolve',
    'charge.resolve.withdraw', 'purchase.resolve', 'purchase.resolve.withdraw'))
  execute function notice_ended();

-- Whatever took the money, a colleague, the shop's own system, the provider or the buyer's bank: a request for a refund
-- that it leaves nothing of ends in the log. Those that wait are known by lib/operators/second-person.ts.
create or replace function refund_requests_lapse() returns trigger language plpgsql as $$
begin
  insert into audit_log (id, client_id, actor, action, object, object_id, after, request_id, at, account_at)
  select gen_random_uuid(), l.client_id, 'system', 'charge.refund.lapse', 'charge', l.object_id,
         l.after || jsonb_build_object('by', l.actor), gen_random_uuid()::text, greatest(clock_timestamp(), l.at), new.updated_at
    from audit_log l
   where l.client_id = new.client_id and l.object_id = new.id::text and l.action = 'charge.refund.propose'
     and l.at >= now() - interval '1 day'
     and (new.status not in ('authorized', 'refund_pending')
       or (l.after->>'amount')::bigint > new.captured_amount - new.refunded_amount)
     and not exists (
       select from audit_log w where w.client_id = l.client_id and w.object_id = l.object_id and w.at >= l.at
          and w.after->>'amount' is not distinct from l.after->>'amount'
          and (w.action = 'charge.refund.withdraw' and w.actor = l.actor
            or w.action in ('charge.refund.refuse', 'charge.refund.approve', 'charge.refund.lapse') and w.after->>'by' = l.actor));
  return null;
end $$;
drop trigger if exists charges_refund_requests on charges;
create trigger charges_refund_requests after update of status, refunded_amount on charges for each row
  when (old.captured_amount > 0 and (new.refunded_amount > old.refunded_amount or new.status <> old.status))
  execute function refund_requests_lapse();

-- Sellers: what a provider asks for and how it ends, and where they are paid.
create or replace function seller_notice(seller uuid, what text, moment timestamptz, asked uuid default null)
  returns void language sql as $$
  select notice_of(s.client_id, what, '/dashboard/sellers/' || s.id, moment, coalesce(s.business_name, s.owner_name), null, null,
      s.merchant_id, asked)
    from sellers s where s.id = seller
$$;

create or replace function notice_of_seller_review() returns trigger language plpgsql as $$
begin
  perform seller_notice(new.seller_id, case when new.status = 'opened' then 'review_due' else 'review_closed' end, new.updated_at);
  return null;
end $$;
drop trigger if exists seller_reviews_opened on seller_reviews;
create trigger seller_reviews_opened after insert on seller_reviews for each row
  when (new.status = 'opened') execute function notice_of_seller_review();
drop trigger if exists seller_reviews_notice on seller_reviews;
create trigger seller_reviews_notice after update on seller_reviews for each row
  when (new.status = 'opened' and (old.status <> 'opened' or new.reminded_days is not null and new.reminded_days is distinct from old.reminded_days)
    or new.status in ('approved', 'rejected', 'expired') and old.status <> new.status)
  execute function notice_of_seller_review();

create or replace function notice_of_registration() returns trigger language plpgsql as $$
begin
  perform seller_notice(new.seller_id, 'seller_refused', new.updated_at);
  return null;
end $$;
drop trigger if exists seller_registrations_notice on seller_registrations;
create trigger seller_registrations_notice after update of status on seller_registrations for each row
  when (new.status in ('refused', 'blocked') and old.status <> new.status) execute function notice_of_registration();

create or replace function notice_of_bank_account() returns trigger language plpgsql as $$
begin
  perform seller_notice(new.id, 'bank_account_changed', new.updated_at);
  return null;
end $$;
drop trigger if exists sellers_notice on sellers;
create trigger sellers_notice after update of bank_account on sellers for each row
  when (new.bank_account is distinct from old.bank_account) execute function notice_of_bank_account();

create or replace function notice_of_debt() returns trigger language plpgsql as $$
begin
  perform seller_notice(new.seller_id, 'seller_debt', new.debt_told_at);
  return null;
end $$;
drop trigger if exists seller_positions_notice on seller_positions;
create trigger seller_positions_notice after update of debt_told_at on seller_positions for each row
  when (new.debt_told_at is not null and new.debt_told_at is distinct from old.debt_told_at)
  execute function notice_of_debt();

create or replace function notice_of_account_change() returns trigger language plpgsql as $$
begin
  perform seller_notice(new.seller_id, 'bank_account_waiting', new.created_at, new.asked_by);
  return null;
end $$;
drop trigger if exists seller_account_changes_notice on seller_account_changes;
create trigger seller_account_changes_notice after insert on seller_account_changes for each row
  execute function notice_of_account_change();

-- Money out: transfers that did not arrive, what differs, and what waits for a second person.
create or replace function notice_of_payout() returns trigger language plpgsql as $$
declare what text := tg_argv[0]; batch uuid; cents bigint;
begin
  if tg_table_name = 'payout_batches' then batch := new.id; cents := new.final_balance;
  else batch := (to_jsonb(new)->>'batch_id')::uuid; cents := (to_jsonb(new)->>'amount')::bigint;
  end if;
  perform notice_of(new.client_id, what, '/dashboard/payouts/batches/' || batch, new.updated_at,
    (select coalesce(s.business_name, s.owner_name) from sellers s where s.id = new.seller_id), cents, new.currency,
    new.merchant_id);
  return null;
end $$;
drop trigger if exists payout_batches_notice on payout_batches;
create trigger payout_batches_notice after update of status on payout_batches for each row
  when (new.status = 'failed' and old.status <> 'failed') execute function notice_of_payout('batch_failed');
drop trigger if exists payout_transfers_notice on payout_transfers;
create trigger payout_transfers_notice after update of status on payout_transfers for each row
  when (new.status = 'returned' and old.status <> 'returned') execute function notice_of_payout('payout_returned');

create or replace function notice_of_break() returns trigger language plpgsql as $$
begin
  perform notice_of(new.client_id, case new.kind when 'settlement_missing' then new.kind else 'discrepancy_opened' end,
    '/dashboard/finance/breaks/' || new.id, new.opened_at, null, abs(new.expected - new.found), 'BRL', new.merchant_id);
  return null;
end $$;
drop trigger if exists settlement_breaks_notice on settlement_breaks;
create trigger settlement_breaks_notice after insert on settlement_breaks for each row execute function notice_of_break();

create or replace function notice_of_proposal() returns trigger language plpgsql as $$
begin
  case new.kind
    when 'break_closed' then
      perform notice_of(new.client_id, 'discrepancy_waiting', '/dashboard/finance/breaks/' || new.subject_id,
        new.created_at, merchant => new.merchant_id, asked => new.asked_by);
    when 'payout_file', 'payout_return' then
      perform notice_of(new.client_id, 'payout_file_waiting', '/dashboard/payouts/files'
          || case new.kind when 'payout_return' then '/returns/' || new.subject_id else '' end, new.created_at, null,
        (new.details->>'amount')::bigint, 'BRL', new.merchant_id, new.asked_by);
    when 'adjustment' then
      perform notice_of(new.client_id, 'adjustment_waiting', '/dashboard/sellers/' || s.id, new.created_at,
        coalesce(s.business_name, s.owner_name), (new.details->>'amount')::bigint, 'BRL', new.merchant_id,
        new.asked_by)
        from sellers s where s.id = new.subject_id;
    else
      perform notice_of(new.client_id, 'payout_waiting', '/dashboard/payouts/batches/' || new.subject_id, new.created_at, null,
        b.final_balance, b.currency, new.merchant_id, new.asked_by) from payout_batches b where b.id = new.subject_id;
  end case;
  return null;
end $$;
drop trigger if exists money_proposals_notice on money_proposals;
create trigger money_proposals_notice after insert on money_proposals for each row execute function notice_of_proposal();
