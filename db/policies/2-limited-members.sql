-- A member limited to some merchants reads as trilho_limited, which sees no row but those named here, and writes nothing:
-- a table that is not in this list does not exist for them.
create or replace function current_merchants() returns uuid[] language sql stable parallel safe as
  $$ select coalesce(nullif(current_setting('app.merchants', true), ''), '{}')::uuid[] $$;

create or replace function current_operator() returns uuid language sql stable parallel safe as
  $$ select nullif(current_setting('app.operator', true), '')::uuid $$;

do $$
declare
  t record;
  of_charge text := 'exists (select from charges c where c.id = %I)';
  of_purchase text := 'exists (select from purchases p where p.id = %I)';
  of_link text := 'exists (select from sessions s where s.id = %I)';
  of_payment text := of_charge || ' or ' || of_purchase;
  of_any text := of_payment || ' or ' || of_link;
begin
  execute 'grant usage on schema public to trilho_limited';
  for t in
    select c.relname from pg_policy y join pg_class c on c.oid = y.polrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and y.polname = 'tenant'
  loop
    execute format('revoke all on %I from trilho_limited', t.relname);
    execute format('grant select on %I to trilho_limited', t.relname);
    execute format('drop policy if exists limited on %I', t.relname);
  end loop;
  for t in
    select * from (values
      ('merchants', 'id = any((select current_merchants())::uuid[])'),
      ('providers', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('provider_rotations', 'exists (select from providers r where r.id = provider_id)'),
      ('platform_fee_rules', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('charges', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('transaction_requests', format(of_charge, 'charge_id')),
      ('split_rules', format(of_charge, 'charge_id')),
      ('refund_documents', format(of_charge, 'charge_id')),
      ('routing_decisions', format(of_charge, 'charge_id')),
      -- A flow that decides for merchants they do not see would tell of them.
      ('flows', 'merchant_ids <@ (select current_merchants())'),
      ('active_flows', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('flow_replays', 'exists (select from flows f where f.id = flow_id)'),
      ('flow_changes', 'exists (select from flows f where f.id = flow_id)'),
      ('flow_tests', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('provider_notifications', format(of_charge, 'charge_id')),
      ('dispute_notes', format(of_charge, 'charge_id')),
      ('purchases', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('purchase_payments', format(of_purchase, 'purchase_id')),
      ('purchase_operations', format(of_purchase, 'purchase_id')),
      ('purchase_moves', format(of_purchase, 'purchase_id')),
      ('sessions', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('session_history', format(of_link, 'session_id')),
      ('link_requests', format(of_link, 'session_id')),
      ('link_visits', format(of_link, 'session_id')),
      ('checkout_attempts', format(of_link, 'session_id')),
      ('card_tries', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('card_alarms', 'ref_id = any((select current_merchants())::uuid[]) or ' || format(of_link, 'ref_id')),
      ('payment_buyers', 'merchant_id = any((select current_merchants())::uuid[])'),
      -- Of the account's buyers, whichever shop they paid.
      ('remembered_buyers', 'false'),
      ('buyer_codes', 'false'),
      -- Buyers who paid one of these merchants, or whom one of their links was made for.
      ('customers', 'exists (select from charges c where c.customer_id = customers.id)
         or exists (select from charges c where c.source_customer_id = customers.id)
         or exists (select from purchases p where p.customer_id = customers.id)
         or exists (select from sessions s where s.customer_id = customers.id)'),
      -- Cards that paid here: the same buyer's other ones were seen by other merchants.
      ('cards', 'exists (select from charges c where c.card_id = cards.id)'),
      ('events', format(of_any, 'entity_id', 'entity_id', 'entity_id')),
      ('due_jobs', format(of_payment, 'ref_id', 'ref_id')),
      ('review_takes', format(of_payment, 'payment_id', 'payment_id')),
      ('journals', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('transfers', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('ledger_checkpoints', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('receivables', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('statement_lines', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('statement_files', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('merchant_days', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('settlement_breaks', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('payout_batches', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('payout_lines', 'exists (select from payout_batches b where b.id = batch_id)'),
      ('seller_adjustments', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('payout_transfers', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('payout_files', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('payout_returns', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('payout_holds', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('money_proposals', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('prepayments', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('prepayment_items', 'exists (select from prepayments p where p.id = prepayment_id)'),
      ('sellers', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('seller_positions', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('seller_registrations', 'exists (select from sellers s where s.id = seller_id)'),
      ('seller_accesses', 'exists (select from sellers s where s.id = seller_id)'),
      ('seller_account_changes', 'exists (select from sellers s where s.id = seller_id)'),
      ('seller_reviews', 'exists (select from sellers s where s.id = seller_id)'),
      ('seller_documents', 'exists (select from sellers s where s.id = seller_id)'),
      ('seller_calls', 'exists (select from seller_registrations r where r.id = registration_id)'),
      ('subscriptions', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('subscription_starts', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('subscription_anchors', 'exists (select from subscriptions s where s.id = subscription_id)'),
      ('subscription_cycles', 'exists (select from subscriptions s where s.id = subscription_id)'),
      ('subscription_tries', 'exists (select from subscriptions s where s.id = subscription_id)'),
      ('subscription_mandates', 'exists (select from subscriptions s where s.id = subscription_id)'),
      ('subscription_changes', 'exists (select from subscriptions s where s.id = subscription_id)'),
      ('subscription_settings', 'true'),
      ('sale_plans', 'true'),
      ('sale_plan_rates', 'true'),
      ('ledger_accounts', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('payment_stats_hourly', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('payment_stats_daily', 'merchant_id = any((select current_merchants())::uuid[])'),
      ('charge_changes', 'merchant_id = any((select current_merchants())::uuid[])'),
      -- What was done to what they see: proposals of two people stand here.
      ('audit_log', 'case when object in (''charge'', ''purchase'', ''session'') and object_id ~ ''^[0-9a-f-]{36}$''
         then exists (select from charges c where c.id = object_id::uuid)
           or exists (select from purchases p where p.id = object_id::uuid)
           or exists (select from sessions s where s.id = object_id::uuid)
         else false end'),
      ('link_settings', 'merchant_id is null or merchant_id = any((select current_merchants())::uuid[])'),
      ('card_protection', 'true'),
      ('clients', 'true'),
      ('memberships', 'true'),
      ('custom_roles', 'true'),
      -- A name or a filter that somebody else shared may tell of other merchants.
      ('notices', 'merchant_id = any((select current_merchants())::uuid[])
         or operator_id = (select current_operator())'),
      ('notice_choices', 'operator_id = (select current_operator())'),
      ('notice_reads', 'operator_id = (select current_operator())'),
      ('saved_views', 'operator_id = (select current_operator())')
    ) as shown (relname, condition)
  loop
    execute format('create policy limited on %I for select to trilho_limited using (%I = (select current_client()) and (%s))',
      t.relname, case when t.relname = 'clients' then 'id' else 'client_id' end, t.condition);
  end loop;
end $$;

