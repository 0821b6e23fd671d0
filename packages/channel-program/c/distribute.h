/*
 * distribute: pays what is settled and not yet paid; of a sealed channel also the refund, the dust and the rent.
 *
 * It creates no account. What cannot be paid because its account is missing, frozen or another wallet's goes to the
 * treasury, for ever: nobody can hold up the others by closing an account.
 */
#ifndef DISTRIBUTE_H
#define DISTRIBUTE_H

#include "splits.h"
#include "tokens.h"

enum { D_CHANNEL, D_PAYER, D_RENT_PAYER, D_ESCROW, D_PAYER_ATA, D_PAYEE_ATA, D_TREASURY_ATA, D_MINT };
enum { D_TOKEN_PROGRAM = 8, D_EVENT_AUTHORITY, D_SELF, D_RECIPIENTS };

NOINLINE u64 check_distribute_accounts(void) {
  u8 *c = W.channel;
  REQUIRE(same_key(W.account[D_PAYER].key, PAYER(c)), E_PAYER);
  REQUIRE(same_key(W.account[D_RENT_PAYER].key, RENT_PAYER(c)), E_RENT_PAYER);
  REQUIRE(same_key(W.account[D_MINT].key, MINT(c)), E_MINT);
  REQUIRE(same_key(W.account[D_TOKEN_PROGRAM].key, TOKEN_PROGRAM), INCORRECT_PROGRAM);
  REQUIRE(same_key(W.account[D_EVENT_AUTHORITY].key, EVENT_AUTHORITY), INVALID_SEEDS);
  REQUIRE(same_key(W.account[D_SELF].key, W.program), INCORRECT_PROGRAM);
  REQUIRE(is_ata(&W.account[D_ESCROW], W.account[D_CHANNEL].key, MINT(c)), INVALID_SEEDS);
  REQUIRE(is_ata(&W.account[D_PAYER_ATA], PAYER(c), MINT(c)), INVALID_SEEDS);
  REQUIRE(is_ata(&W.account[D_PAYEE_ATA], PAYEE(c), MINT(c)), INVALID_SEEDS);
  REQUIRE(is_ata(&W.account[D_TREASURY_ATA], TREASURY, MINT(c)), E_TREASURY);
  return 0;
}

/* Pays `to` if it can be paid; otherwise the treasury. */
NOINLINE u64 pay_or_forfeit(u64 to, const u8 *owner, u64 amount) {
  if (amount == 0) return 0;
  if (takes_payment(&W.account[to], owner, MINT(W.channel))) return pay_out(D_ESCROW, to, D_CHANNEL, amount);
  REQUIRE(takes_payment(&W.account[D_TREASURY_ATA], TREASURY, MINT(W.channel)), E_TREASURY);
  return pay_out(D_ESCROW, D_TREASURY_ATA, D_CHANNEL, amount);
}

static inline u64 newly_due(u64 bps) {
  return share_of(SETTLED(W.channel), bps) - share_of(PAID(W.channel), bps);
}

NOINLINE u64 pay_shares(const u8 *splits, u64 count) {
  u64 rest = WHOLE_BPS;
  for (u64 i = 0; i < count; i++) {
    u64 bps = SPLIT_BPS(splits, i);
    u8 *recipient = SPLIT_RECIPIENT(splits, i);
    REQUIRE(is_ata(&W.account[D_RECIPIENTS + i], recipient, MINT(W.channel)), INVALID_SEEDS);
    TRY(pay_or_forfeit(D_RECIPIENTS + i, recipient, newly_due(bps)));
    rest -= bps;
  }
  TRY(pay_or_forfeit(D_PAYEE_ATA, PAYEE(W.channel), newly_due(rest)));
  PAID(W.channel) = SETTLED(W.channel);
  return 0;
}

/* Takes the account out of the ledger; its lamports go to who paid the rent. */
NOINLINE void deallocate(u64 channel, u64 rent_payer) {
  Account *a = &W.account[channel];
  *W.account[rent_payer].lamports += *a->lamports;
  *a->lamports = 0;
  for (u64 i = 0; i < CHANNEL_SPACE; i += 8) U64(a->data + i) = 0;
  U64(a->data - 8) = 0; /* its length */
  copy_key(a->owner, SYSTEM_PROGRAM);
}

static inline int can_be_reclaimed(u8 *c) {
  return W.clock.slot > U64(OPEN_SLOT(c)) + OPEN_WINDOW;
}

NOINLINE u64 finish(void) {
  u8 *c = W.channel;
  if (PAYER_WITHDRAWN_AT(c) == 0) TRY(pay_or_forfeit(D_PAYER_ATA, PAYER(c), DEPOSIT(c) - SETTLED(c)));
  TRY(pay_or_forfeit(D_TREASURY_ATA, TREASURY, TOKEN_AMOUNT(W.account[D_ESCROW].data)));
  TRY(close_escrow(D_ESCROW, D_RENT_PAYER, D_CHANNEL));
  TRY(read_clock());
  if (can_be_reclaimed(c)) deallocate(D_CHANNEL, D_RENT_PAYER);
  else STATUS(c) = DISTRIBUTED;
  return 0;
}

NOINLINE u64 distribute(void) {
  TRY(expect_shape(D_RECIPIENTS, 0, NO_SIGNER));
  TRY(load_channel(D_CHANNEL));
  u8 *c = W.channel;
  REQUIRE(STATUS(c) == OPEN || STATUS(c) == SEALED, E_STATUS);
  const u8 *splits = W.data + 1;
  TRY(hash_splits(splits, W.data_len - 1));
  REQUIRE(same_key(W.digest, SPLITS_HASH(c)), E_SPLITS_HASH);
  u64 count = U32(splits);
  REQUIRE(W.count >= D_RECIPIENTS + count, NOT_ENOUGH_ACCOUNTS);
  TRY(check_distribute_accounts());
  REQUIRE(STATUS(c) == SEALED || SETTLED(c) > PAID(c), E_NOTHING_TO_PAY);
  TRY(pay_shares(splits, count));
  return STATUS(c) == SEALED ? finish() : 0;
}

#endif
