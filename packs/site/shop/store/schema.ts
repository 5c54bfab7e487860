/**
 * The tables. The catalogue itself is code; the database has what changes: stock, carts, orders,
 * appointments, and the answers that were given to idempotency keys. Times are milliseconds.
 */
export const SCHEMA = `
create table if not exists secrets (name text primary key, value text not null);

create table if not exists stock (
  variant_id text primary key,
  pieces integer not null check (pieces >= 0)
);

create table if not exists answers (
  key text primary key,
  request_hash text not null,
  status integer not null,
  body text not null,
  created_at integer not null
);
create index if not exists answers_age on answers (created_at);

create table if not exists carts (
  cart_id text primary key,
  session text,
  state text not null check (state in ('open', 'ordered')),
  revision integer not null,
  coupon text,
  fulfilment text not null check (fulfilment in ('collect', 'delivery')),
  created_at integer not null
);
-- A session has one open cart: of two requests that would create it, one does.
create unique index if not exists one_open_cart on carts (session)
  where state = 'open' and session is not null;

create table if not exists cart_lines (
  line_id text primary key,
  cart_id text not null references carts (cart_id),
  variant_id text not null,
  quantity integer not null check (quantity between 1 and 999),
  notes text not null,
  created_at integer not null,
  unique (cart_id, variant_id, notes)
);

create table if not exists checkouts (
  token text primary key,
  cart_id text not null references carts (cart_id),
  revision integer not null,
  return_url text not null,
  contact text,
  address text,
  expires_at integer not null
);

-- One cart becomes one order, however often and by whom it is sent.
create table if not exists orders (
  order_id text primary key,
  number integer not null unique,
  cart_id text not null unique references carts (cart_id),
  checkout_token text not null references checkouts (token),
  state text not null check (state in ('placed', 'payment_pending', 'paid', 'cancelled')),
  lines text not null,
  totals text not null,
  contact text,
  address text,
  fulfilment text not null,
  card_ending text,
  placed_at integer not null
);

create table if not exists holds (
  hold_id text primary key,
  slot_id text not null,
  session text not null,
  state text not null check (state in ('held', 'released', 'expired', 'booked')),
  customer text,
  expires_at integer not null
);
create unique index if not exists one_hold on holds (slot_id) where state = 'held';

create table if not exists bookings (
  booking_id text primary key,
  slot_id text not null,
  session text not null,
  state text not null check (state in ('booked', 'cancelled')),
  price integer not null,
  confirmation text not null,
  customer text,
  notes text not null,
  fee integer,
  booked_at integer not null
);
create unique index if not exists one_booking on bookings (slot_id) where state = 'booked';

create table if not exists messages (
  message_id text primary key,
  name text not null,
  email text not null,
  text text not null,
  file_name text,
  file_bytes integer,
  created_at integer not null
);

create table if not exists subscribers (email text primary key, created_at integer not null);
`
