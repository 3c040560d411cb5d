-- Walls the database keeps by itself: roles, row security, append-only tables, balanced journals, legal transitions.
-- Idempotent; these files are applied one after the other, after the migrations, whenever their text changes.

do $$
declare
  r text;
  -- From PostgreSQL 16 on, who makes a role administers it, and may not yet become it.
  taking text := case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end;
begin
  foreach r in array array['trilho_app', 'trilho_system', 'trilho_vault', 'trilho_limited'] loop
    if not exists (select from pg_roles where rolname = r) then
      begin
        execute format('create role %I nologin nosuperuser nobypassrls', r);
      exception when duplicate_object or unique_violation then null;
      end;
    end if;
    if not pg_has_role(current_user, r, taking) or not exists (
      select from pg_auth_members m join pg_roles g on g.oid = m.roleid join pg_roles u on u.oid = m.member
       where g.rolname = r and u.rolname = current_user) then
      begin
        execute format('grant %I to current_user', r);
      exception when unique_violation then null;
      end;
    end if;
  end loop;
end $$;

alter table rate_buckets set unlogged;
alter table vault.card_cvv set unlogged;
alter table vault.cvv_keys set unlogged;

grant usage on schema public to trilho_app, trilho_system, trilho_vault;
grant usage on schema trilho to trilho_system;
grant select on trilho.schema_version to trilho_system;
grant usage on schema vault to trilho_vault;
grant select, insert, update, delete on all tables in schema public to trilho_app, trilho_system;
grant select, insert, update, delete on all tables in schema vault to trilho_vault;
grant usage on all sequences in schema public to trilho_app, trilho_system;

revoke all on worker_beats from trilho_app;

-- People sign in before any account is known: their tables are the system's alone.
revoke all on operators, operator_sessions, sign_in_attempts, password_resets, operator_totps, recovery_codes,
  sign_in_challenges, operator_devices, passkeys, passkey_challenges, operator_identities, provider_returns from trilho_app;

-- What the audit found is the audit's to write.
revoke insert, update, delete, truncate on invariant_runs, invariant_violations from trilho_app;

create or replace function current_client() returns uuid language sql stable parallel safe as
  $$ select nullif(current_setting('app.client_id', true), '')::uuid $$;

-- Row security on every tenant table: those with a client_id, and the accounts themselves. Written as a sub-select, whose
-- account it is is read once for a statement and not for each row.
do $$
declare t record; key text;
begin
  for t in
    select c.oid, n.nspname, c.relname
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname in ('public', 'vault')
       and (c.relname = 'clients' or exists (
         select from pg_attribute a where a.attrelid = c.oid and a.attname = 'client_id' and not a.attisdropped))
  loop
    key := case when t.relname = 'clients' then 'id' else 'client_id' end;
    execute format('alter table %I.%I enable row level security', t.nspname, t.relname);
    execute format('alter table %I.%I force row level security', t.nspname, t.relname);
    execute format('drop policy if exists tenant on %I.%I', t.nspname, t.relname);
    execute format('create policy tenant on %I.%I to %I using (%I = (select current_client())) with check (%I = (select current_client()))',
      t.nspname, t.relname, case when t.nspname = 'vault' then 'trilho_vault' else 'trilho_app' end, key, key);
    if t.nspname = 'public' then
      execute format('drop policy if exists system on %I.%I', t.nspname, t.relname);
      execute format('create policy system on %I.%I to trilho_system using (true) with check (true)', t.nspname, t.relname);
    end if;
  end loop;
end $$;

