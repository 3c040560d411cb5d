-- What the secrets are known by is the system's to read and to write.
revoke all on secret_checks from trilho_app;

-- Keys are changed and forgotten records found across accounts, by whoever says so; otherwise the vault's rows are those
-- of one client.
drop policy if exists upkeep on vault.cards;
create policy upkeep on vault.cards for select to trilho_vault
  using (current_setting('app.vault_upkeep', true) = 'on');
drop policy if exists rewrapped on vault.cards;
create policy rewrapped on vault.cards for update to trilho_vault
  using (current_setting('app.vault_upkeep', true) = 'on') with check (current_setting('app.vault_upkeep', true) = 'on');
