-- Who posts to an agent keeps its lease whatever happens meanwhile: that is told after the post, as it is to browsers
-- and mailboxes. Each lease has a name, so that who comes late writes nothing (decision 0308).
alter table a2a_push_configs add column lease uuid, add column was_told boolean not null default false;
alter table push_subscriptions add column lease uuid;
alter table mail_subscriptions add column lease uuid;
