/* SPL tokens: accounts at their derived address, transfers out of the escrow. */
#ifndef TOKENS_H
#define TOKENS_H

#include "addresses.h"
#include "layout.h"

#define TOKEN_ACCOUNT_SPACE 165
#define MINT_SPACE 82
#define TOKEN_MINT(d) (d)
#define TOKEN_OWNER(d) ((d) + 32)
#define TOKEN_AMOUNT(d) U64((d) + 64)
#define TOKEN_STATE(d) ((d)[108])
#define INITIALIZED 1

/* True when the account is where the associated account of `owner` for `mint` must be, whether it exists or not. */
NOINLINE int is_ata(const Account *a, const u8 *owner, const u8 *mint) {
  Slice *seed = W.seed;
  set_seed(0, owner, 32);
  set_seed(1, TOKEN_PROGRAM, 32);
  set_seed(2, mint, 32);
  if (sol_try_find_program_address(seed, 3, ATA_PROGRAM, W.address, &W.bump)) return 0;
  return same_key(W.address, a->key);
}

/* A token account that can be paid: of this mint and owner, in use, not frozen. */
NOINLINE int takes_payment(const Account *a, const u8 *owner, const u8 *mint) {
  return same_key(a->owner, TOKEN_PROGRAM) && a->data_len == TOKEN_ACCOUNT_SPACE &&
         TOKEN_STATE(a->data) == INITIALIZED && same_key(TOKEN_MINT(a->data), mint) &&
         same_key(TOKEN_OWNER(a->data), owner);
}

NOINLINE u64 expect_mint(u64 index) {
  Account *mint = &W.account[index];
  REQUIRE(same_key(mint->owner, TOKEN_PROGRAM) && mint->data_len == MINT_SPACE, E_MINT);
  return 0;
}

/* The payer's tokens into the escrow, under the payer's own signature; refused if the mint is not of the decimals. */
NOINLINE u64 pay_in(u64 from, u64 to, u64 mint, u64 authority, u64 amount) {
  W.ix_data[0] = 12; /* TransferChecked */
  U64(W.ix_data + 1) = amount;
  W.ix_data[9] = W.account[mint].data[44];
  set_meta(0, W.account[from].key, 1, 0);
  set_meta(1, W.account[mint].key, 0, 0);
  set_meta(2, W.account[to].key, 1, 0);
  set_meta(3, W.account[authority].key, 0, 1);
  return invoke(TOKEN_PROGRAM, 4, 10, 0);
}

/* Tokens out of the escrow, signed by the channel, which is account `channel`. */
NOINLINE u64 pay_out(u64 escrow, u64 to, u64 channel, u64 amount) {
  if (amount == 0) return 0;
  channel_seeds(W.channel);
  W.ix_data[0] = 3; /* Transfer */
  U64(W.ix_data + 1) = amount;
  set_meta(0, W.account[escrow].key, 1, 0);
  set_meta(1, W.account[to].key, 1, 0);
  set_meta(2, W.account[channel].key, 0, 1);
  return invoke(TOKEN_PROGRAM, 3, 9, 1);
}

/* Closes the empty escrow; its rent goes to who paid it. */
NOINLINE u64 close_escrow(u64 escrow, u64 rent_to, u64 channel) {
  channel_seeds(W.channel);
  W.ix_data[0] = 9; /* CloseAccount */
  set_meta(0, W.account[escrow].key, 1, 0);
  set_meta(1, W.account[rent_to].key, 1, 0);
  set_meta(2, W.account[channel].key, 0, 1);
  return invoke(TOKEN_PROGRAM, 3, 1, 1);
}

#endif
