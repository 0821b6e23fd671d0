-- The key that signs each voucher of a channel where its buyer does; null where this deployment does (decision 0207).
alter table channels add column voucher_key text;
alter table channels add constraint channels_voucher_key check ((voucher_signer = 'client') = (voucher_key is not null));
