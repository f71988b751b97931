/** Each runs once, in order, in one transaction. A migration that was released is never changed. */
export const migrations: readonly string[] = [
  `create table chat (
    id text primary key,
    title text not null,
    created timestamptz not null default now(),
    updated timestamptz not null default now()
  );
  create table message (
    chat text not null references chat(id) on delete cascade,
    seq integer not null,
    id text not null,
    content jsonb not null,
    primary key (chat, seq)
  );
  create unique index message_id on message (chat, id);
  create table run (
    id text primary key,
    chat text not null references chat(id) on delete cascade,
    goal text not null,
    state text not null,
    stop_reason text,
    summary text,
    detail jsonb not null,
    started timestamptz not null default now(),
    ended timestamptz
  );
  create index run_started on run (started);
  create table setting (name text primary key, value jsonb not null)`,
]
