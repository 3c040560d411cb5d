-- Sessions: begun as created, and never rewritten in what a buyer agreed to.
create or replace function session_guarded() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> 'created' or new.payment_count <> 0 or new.pending_count <> 0 then
      raise exception 'a session begins as created and unpaid' using errcode = '23514';
    end if;
  elsif new.client_id <> old.client_id or new.merchant_id <> old.merchant_id or new.amount <> old.amount
     or new.currency <> old.currency or new.capture <> old.capture or new.public_key <> old.public_key
     or (new.max_payments is null) <> (old.max_payments is null) then
    raise exception 'session %: what was asked never changes', old.id using errcode = '23514';
  elsif new.payment_count < old.payment_count then
    raise exception 'session %: a payment that counted stays counted', old.id using errcode = '23514';
  end if;
  return new;
end $$;
drop trigger if exists sessions_guarded on sessions;
create trigger sessions_guarded before insert or update on sessions for each row execute function session_guarded();
revoke delete, truncate on sessions from trilho_app, trilho_system;

-- The checkout's pages follow their payments: only those of a link are told of, so no other payment pays for it.
create or replace function payment_seen() returns trigger language plpgsql as $$
begin perform pg_notify('checkout', new.id::text); return null; end $$;
drop trigger if exists charges_seen on charges;
create trigger charges_seen after update on charges for each row
  when (new.session_id is not null and (new.status, new.review_reason, new.refunded_amount)
        is distinct from (old.status, old.review_reason, old.refunded_amount)) execute function payment_seen();
drop trigger if exists purchases_seen on purchases;
create trigger purchases_seen after update on purchases for each row
  when (new.session_id is not null) execute function payment_seen();
drop trigger if exists subscription_starts_seen on subscription_starts;
create trigger subscription_starts_seen after update on subscription_starts for each row
  when (new.status <> old.status) execute function payment_seen();
