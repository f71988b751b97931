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
  `create table journal (
    id text primary key,
    key text,
    started timestamptz not null default now()
  );
  create table run_event (
    run text not null references journal(id) on delete cascade,
    seq integer not null,
    type text not null,
    line text not null,
    hash text not null,
    primary key (run, seq)
  );
  create index run_event_type on run_event (type, run);
  create table approval (
    id text primary key,
    run text not null references journal(id) on delete cascade,
    request text not null,
    decision text,
    asked timestamptz not null default now(),
    decided timestamptz
  );
  create index approval_run on approval (run);
  create table lasting_grant (
    id text primary key,
    rule text not null,
    scope text not null,
    run text,
    created_at text not null,
    decided_by text not null
  )`,
]
