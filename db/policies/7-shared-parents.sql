-- Accounts, merchants, providers, webhooks and the ledger's accounts are parents that every payment of theirs shares. A
-- foreign key would lock the parent's row for each child, so that payments of the same moment write one row in turns.
-- These parents are never deleted and never change hands: it is enough that a child looks for its parent.
create or replace function parent_stays() returns trigger language plpgsql as $$
begin raise exception '% are never deleted and never change hands', tg_table_name using errcode = '23503'; end $$;

do $$
declare t record;
begin
  for t in
    select * from (values
      ('clients', 'id'),
      ('merchants', 'id, client_id'),
      ('providers', 'id, client_id, merchant_id'),
      ('webhooks', 'id, client_id'),
      ('charges', 'id, client_id, merchant_id'),
      ('ledger_accounts', 'id, client_id, merchant_id, currency, memo')
    ) as parent (relname, identity)
  loop
    execute format('revoke delete, truncate on %I from trilho_app, trilho_system', t.relname);
    execute format('drop trigger if exists %I on %I', t.relname || '_stay', t.relname);
    execute format('create trigger %I before delete on %I for each row execute function parent_stays()',
      t.relname || '_stay', t.relname);
    execute format('drop trigger if exists %I on %I', t.relname || '_stay_themselves', t.relname);
    execute format('create trigger %I before update on %I for each row when ((%s) is distinct from (%s))
      execute function parent_stays()', t.relname || '_stay_themselves', t.relname,
      regexp_replace(t.identity, '(\w+)', 'new.\1', 'g'), regexp_replace(t.identity, '(\w+)', 'old.\1', 'g'));
  end loop;
end $$;

-- One function for each child, so that its statement is planned once. After the row, as a foreign key: what the same
-- statement wrote is seen.
do $$
declare t record;
begin
  for t in
    select * from (values
      ('charges', 'merchant', 'merchant_id, client_id', 'true',
        'exists (select from merchants p where p.id = new.merchant_id and p.client_id = new.client_id)'),
      ('charges', 'provider', 'provider_id', 'new.provider_id is not null',
        'exists (select from providers p where p.id = new.provider_id and p.client_id = new.client_id)'),
      ('sessions', 'merchant', 'merchant_id, client_id', 'true',
        'exists (select from merchants p where p.id = new.merchant_id and p.client_id = new.client_id)'),
      ('customers', 'client', 'client_id', 'true', 'exists (select from clients p where p.id = new.client_id)'),
      ('cards', 'client', 'client_id', 'true', 'exists (select from clients p where p.id = new.client_id)'),
      ('purchases', 'client', 'client_id', 'true', 'exists (select from clients p where p.id = new.client_id)'),
      ('webhook_deliveries', 'webhook', 'client_id, webhook_id', 'true',
        'exists (select from webhooks p where p.id = new.webhook_id and p.client_id = new.client_id)')
    ) as child (relname, parent, columns, condition, found)
  loop
    execute format($made$
      create or replace function %I() returns trigger language plpgsql as $look$
      begin
        if not (%s) then
          raise exception '%%: no such %s in this account', tg_table_name using errcode = '23503';
        end if;
        return null;
      end $look$ $made$, t.relname || '_look_for_' || t.parent, t.found, replace(t.parent, '_', ' '));
    execute format('drop trigger if exists %I on %I', t.relname || '_' || t.parent || '_made', t.relname);
    execute format('create trigger %I after insert on %I for each row when (%s) execute function %I()',
      t.relname || '_' || t.parent || '_made', t.relname, t.condition, t.relname || '_look_for_' || t.parent);
    execute format('drop trigger if exists %I on %I', t.relname || '_' || t.parent || '_changed', t.relname);
    execute format('create trigger %I after update of %s on %I for each row
      when (%s and (%s) is distinct from (%s)) execute function %I()', t.relname || '_' || t.parent || '_changed', t.columns, t.relname, t.condition,
      regexp_replace(t.columns, '(\w+)', 'new.\1', 'g'), regexp_replace(t.columns, '(\w+)', 'old.\1', 'g'),
      t.relname || '_look_for_' || t.parent);
  end loop;
end $$;

-- One look for all rows of a statement, which may be thousands. Each account by its key alone: a plan made while a
-- merchant had few accounts would else look through all of them for each transfer, once it has thousands. A journal is
-- append-only: what it says when its transfer is written, it says for ever, and so does the transfer.
create or replace function transfers_look_for_accounts_or_journal() returns trigger language plpgsql as $$
begin
  if exists (
    select from made t
     where (select true from journals j
        where j.id = t.journal_id and j.client_id = t.client_id and j.merchant_id = t.merchant_id
          and j.currency = t.currency and j.memo = t.memo and j.tx = t.tx offset 0) is null
        or (select true from ledger_accounts a
        where a.id = t.debit_account and a.client_id = t.client_id and a.merchant_id = t.merchant_id
          and a.currency = t.currency and a.memo = t.memo offset 0) is null
        or (select true from ledger_accounts a
        where a.id = t.credit_account and a.client_id = t.client_id and a.merchant_id = t.merchant_id
          and a.currency = t.currency and a.memo = t.memo offset 0) is null) then
    raise exception 'transfers: no such accounts or journal in this account' using errcode = '23503';
  end if;
  return null;
end $$;
drop trigger if exists transfers_accounts_or_journal_changed on transfers;
drop trigger if exists transfers_accounts_or_journal_made on transfers;
create trigger transfers_accounts_or_journal_made after insert on transfers referencing new table as made
  for each statement execute function transfers_look_for_accounts_or_journal();

-- Nor does any of this change of a receivable.
create or replace function receivables_look_for_sale() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct journal_id, client_id, merchant_id, charge_id, currency from made) r
     where (select true from journals j
        where j.id = r.journal_id and j.client_id = r.client_id and j.merchant_id = r.merchant_id
          and j.charge_id = r.charge_id and j.currency = r.currency offset 0) is null
        or (select true from charges c where c.id = r.charge_id and c.client_id = r.client_id offset 0) is null) then
    raise exception 'receivables: no such charge and journal of it in this account' using errcode = '23503';
  end if;
  return null;
end $$;
drop trigger if exists receivables_sale_made on receivables;
create trigger receivables_sale_made after insert on receivables referencing new table as made
  for each statement execute function receivables_look_for_sale();

-- A simulation prices thousands of receivables: a foreign key would lock and write each of them. Neither they nor a
-- prepayment ever change hands (3-history-and-states.sql), and neither is deleted while it has items.
create or replace function prepayment_items_look_for_parents() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct prepayment_id, client_id from made) i
     where (select true from prepayments p where p.id = i.prepayment_id and p.client_id = i.client_id offset 0) is null)
    or exists (
    select from made i
     where (select true from receivables r where r.id = i.receivable_id and r.client_id = i.client_id offset 0) is null) then
    raise exception 'prepayment_items: no such prepayment or receivable in this account' using errcode = '23503';
  end if;
  return null;
end $$;
drop trigger if exists prepayment_items_parents_made on prepayment_items;
create trigger prepayment_items_parents_made after insert on prepayment_items referencing new table as made
  for each statement execute function prepayment_items_look_for_parents();

create or replace function parent_of_items_stays() returns trigger language plpgsql as $$
begin
  if exists (select from prepayment_items where old.id in (prepayment_id, receivable_id)) then
    raise exception '% %: stands in a prepayment', tg_table_name, old.id using errcode = '23503';
  end if;
  return old;
end $$;
drop trigger if exists receivables_stay_for_items on receivables;
create trigger receivables_stay_for_items before delete on receivables
  for each row execute function parent_of_items_stays();
drop trigger if exists prepayments_stay_for_items on prepayments;
create trigger prepayments_stay_for_items before delete on prepayments
  for each row execute function parent_of_items_stays();
