/* open: makes the channel account and its escrow and pays the deposit in. */
#ifndef OPEN_H
#define OPEN_H

#include "splits.h"
#include "tokens.h"

enum { O_PAYER, O_RENT_PAYER, O_PAYEE, O_MINT, O_SIGNER, O_CHANNEL, O_PAYER_ATA, O_ESCROW };
enum { O_TOKEN_PROGRAM = 8, O_SYSTEM, O_RENT, O_ATA_PROGRAM, O_EVENT_AUTHORITY, O_SELF, O_COUNT };

#define A_SALT (W.data + 1)
#define A_DEPOSIT U64(W.data + 9)
#define A_GRACE U32(W.data + 17)
#define A_OPEN_SLOT (W.data + 21)
#define A_SPLITS (W.data + 29)
#define A_SPLITS_LEN (W.data_len - 29)

/* The rent sysvar: lamports per byte and year, then the years of exemption as a double of which two values exist. */
NOINLINE u64 rent_of(u64 space, u64 *lamports) {
  u8 *rent = W.account[O_RENT].data;
  u64 years;
  if (U64(rent + 8) == 0x4000000000000000ULL) years = 2;
  else if (U64(rent + 8) == 0x3ff0000000000000ULL) years = 1;
  else return INVALID_ARGUMENT;
  *lamports = (128 + space) * U64(rent) * years;
  return 0;
}

NOINLINE u64 system_call(u64 from, u64 data_len) {
  u64 metas = 0;
  if (from != O_CHANNEL) set_meta(metas++, W.account[from].key, 1, 1);
  set_meta(metas++, W.account[O_CHANNEL].key, 1, U32(W.ix_data) != 2);
  return invoke(SYSTEM_PROGRAM, metas, data_len, 1);
}

/* Lamports sent to the address beforehand must not keep a channel from being opened there. */
NOINLINE u64 adopt_funded_account(u64 lamports) {
  u64 has = *W.account[O_CHANNEL].lamports;
  if (has < lamports) {
    U32(W.ix_data) = 2; /* Transfer */
    U64(W.ix_data + 4) = lamports - has;
    TRY(system_call(O_RENT_PAYER, 12));
  }
  U32(W.ix_data) = 8; /* Allocate */
  U64(W.ix_data + 4) = CHANNEL_SPACE;
  TRY(system_call(O_CHANNEL, 12));
  U32(W.ix_data) = 1; /* Assign */
  copy_key(W.ix_data + 4, W.program);
  return system_call(O_CHANNEL, 36);
}

NOINLINE u64 create_channel_account(void) {
  u64 lamports;
  TRY(rent_of(CHANNEL_SPACE, &lamports));
  if (*W.account[O_CHANNEL].lamports > 0) return adopt_funded_account(lamports);
  U32(W.ix_data) = 0; /* CreateAccount */
  U64(W.ix_data + 4) = lamports;
  U64(W.ix_data + 12) = CHANNEL_SPACE;
  copy_key(W.ix_data + 20, W.program);
  return system_call(O_RENT_PAYER, 52);
}

/* Idempotent: anybody may have made the escrow's account before. */
NOINLINE u64 create_escrow(void) {
  W.ix_data[0] = 1;
  set_meta(0, W.account[O_RENT_PAYER].key, 1, 1);
  set_meta(1, W.account[O_ESCROW].key, 1, 0);
  set_meta(2, W.account[O_CHANNEL].key, 0, 0);
  set_meta(3, W.account[O_MINT].key, 0, 0);
  set_meta(4, W.account[O_SYSTEM].key, 0, 0);
  set_meta(5, W.account[O_TOKEN_PROGRAM].key, 0, 0);
  return invoke(ATA_PROGRAM, 6, 1, 0);
}

NOINLINE u64 check_open_accounts(void) {
  REQUIRE(W.account[O_RENT_PAYER].is_signer, MISSING_SIGNATURE);
  REQUIRE(same_key(W.account[O_TOKEN_PROGRAM].key, TOKEN_PROGRAM), INCORRECT_PROGRAM);
  REQUIRE(same_key(W.account[O_SYSTEM].key, SYSTEM_PROGRAM), INCORRECT_PROGRAM);
  REQUIRE(same_key(W.account[O_ATA_PROGRAM].key, ATA_PROGRAM), INCORRECT_PROGRAM);
  REQUIRE(same_key(W.account[O_RENT].key, RENT_SYSVAR), INVALID_ARGUMENT);
  REQUIRE(same_key(W.account[O_EVENT_AUTHORITY].key, EVENT_AUTHORITY), INVALID_SEEDS);
  REQUIRE(same_key(W.account[O_SELF].key, W.program), INCORRECT_PROGRAM);
  REQUIRE(!same_key(W.account[O_PAYER].key, W.account[O_PAYEE].key), INVALID_ARGUMENT);
  return expect_mint(O_MINT);
}

NOINLINE u64 check_open_address(void) {
  set_seed(0, (const u8 *)"channel", 7);
  set_seed(1, W.account[O_PAYER].key, 32);
  set_seed(2, W.account[O_PAYEE].key, 32);
  set_seed(3, W.account[O_MINT].key, 32);
  set_seed(4, W.account[O_SIGNER].key, 32);
  set_seed(5, A_SALT, 8);
  set_seed(6, A_OPEN_SLOT, 8);
  set_seed(7, &W.bump, 1);
  TRY(sol_try_find_program_address(W.seed, 7, W.program, W.address, &W.bump));
  REQUIRE(same_key(W.address, W.account[O_CHANNEL].key), E_ADDRESS);
  REQUIRE(same_key(W.account[O_CHANNEL].owner, SYSTEM_PROGRAM), ALREADY_INITIALIZED);
  return 0;
}

/* Every other byte of the account is zero since its creation: open, nothing settled, nothing paid. */
NOINLINE void write_channel(void) {
  u8 *c = W.account[O_CHANNEL].data;
  c[0] = DISCRIMINATOR;
  c[1] = VERSION;
  c[2] = W.bump;
  U64(SALT(c)) = U64(A_SALT);
  DEPOSIT(c) = A_DEPOSIT;
  GRACE(c) = A_GRACE;
  copy_key(SPLITS_HASH(c), W.digest);
  copy_key(PAYER(c), W.account[O_PAYER].key);
  copy_key(PAYEE(c), W.account[O_PAYEE].key);
  copy_key(SIGNER(c), W.account[O_SIGNER].key);
  copy_key(MINT(c), W.account[O_MINT].key);
  copy_key(RENT_PAYER(c), W.account[O_RENT_PAYER].key);
  U64(OPEN_SLOT(c)) = U64(A_OPEN_SLOT);
}

NOINLINE u64 open(void) {
  TRY(expect_shape(O_COUNT, 0, O_PAYER));
  REQUIRE(W.data_len >= 33, INVALID_INSTRUCTION_DATA);
  TRY(check_open_accounts());
  REQUIRE(A_DEPOSIT > 0, E_ZERO_AMOUNT);
  REQUIRE(A_GRACE > 0, E_ZERO_GRACE);
  TRY(check_splits(A_SPLITS, A_SPLITS_LEN, W.account[O_CHANNEL].key));
  TRY(read_clock());
  u64 slot = U64(A_OPEN_SLOT);
  REQUIRE(slot <= W.clock.slot && W.clock.slot - slot <= OPEN_WINDOW, E_OPEN_SLOT);
  REQUIRE(sol_curve_validate_point(0, W.account[O_SIGNER].key, W.digest) == 0, INVALID_ARGUMENT);
  TRY(check_open_address());
  TRY(create_channel_account());
  TRY(create_escrow());
  TRY(pay_in(O_PAYER_ATA, O_ESCROW, O_MINT, O_PAYER, A_DEPOSIT));
  TRY(hash_splits(A_SPLITS, A_SPLITS_LEN));
  write_channel();
  return 0;
}

#endif
