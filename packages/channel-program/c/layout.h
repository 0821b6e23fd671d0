/* The channel account, its codes and its states. Offsets are bytes; numbers are little endian and unaligned. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "runtime.h"

#define CHANNEL_SPACE 256
#define DISCRIMINATOR 1
#define VERSION 1

#define STATUS(c) ((c)[3])
#define SALT(c) ((c) + 4)
#define DEPOSIT(c) U64((c) + 12)
#define SETTLED(c) U64((c) + 20)
#define PAID(c) U64((c) + 28) /* how much of `settled` has been distributed */
#define CLOSURE_STARTED_AT(c) I64((c) + 36)
#define PAYER_WITHDRAWN_AT(c) I64((c) + 44)
#define GRACE(c) U32((c) + 52)
#define SPLITS_HASH(c) ((c) + 56)
#define PAYER(c) ((c) + 88)
#define PAYEE(c) ((c) + 120)
#define SIGNER(c) ((c) + 152)
#define MINT(c) ((c) + 184)
#define RENT_PAYER(c) ((c) + 216)
#define OPEN_SLOT(c) ((c) + 248)

#define OPEN 0
#define SEALED 1
#define CLOSING 2
#define DISTRIBUTED 3

/* An address cannot be opened again once this many slots have passed since the one it names. */
#define OPEN_WINDOW 1500

#define E_STATUS 2
#define E_PAYER 5
#define E_PAYEE 6
#define E_MINT 7
#define E_RENT_PAYER 10
#define E_ZERO_AMOUNT 200
#define E_ZERO_GRACE 201
#define E_NO_PROOF 230
#define E_MALFORMED_PROOF 231
#define E_OTHER_CHANNEL 232
#define E_EXPIRED 233
#define E_NOT_MONOTONIC 234
#define E_OVER_DEPOSIT 235
#define E_SIGNER 237
#define E_MAGIC 238
#define E_SPLIT_COUNT 260
#define E_SPLIT_SHARE 261
#define E_SPLIT_TWICE 262
#define E_SPLIT_CHANNEL 263
#define E_ADDRESS 2000
#define E_OPEN_SLOT 2003
#define E_GRACE_NOT_OVER 2201
#define E_TREASURY 2401
#define E_SPLITS_HASH 2407
#define E_NOTHING_TO_PAY 2408
#define E_TOO_EARLY 2414

/* Takes an account for a channel: the program owns it and only `open` writes such bytes. */
NOINLINE u64 load_channel(u64 index) {
  Account *a = &W.account[index];
  REQUIRE(same_key(a->owner, W.program), INCORRECT_PROGRAM);
  REQUIRE(a->data_len == CHANNEL_SPACE, INVALID_ACCOUNT_DATA);
  REQUIRE(a->data[0] == DISCRIMINATOR && a->data[1] == VERSION, INVALID_ACCOUNT_DATA);
  W.channel = a->data;
  return 0;
}

/* The seeds of the channel's address, for `find` (7) and for signing (8, with the bump). */
NOINLINE void channel_seeds(u8 *c) {
  set_seed(0, (const u8 *)"channel", 7);
  set_seed(1, PAYER(c), 32);
  set_seed(2, PAYEE(c), 32);
  set_seed(3, MINT(c), 32);
  set_seed(4, SIGNER(c), 32);
  set_seed(5, SALT(c), 8);
  set_seed(6, OPEN_SLOT(c), 8);
  set_seed(7, c + 2, 1);
}

/* Shapes every instruction shares: enough accounts, no byte too many, the signature it needs. */
NOINLINE u64 expect_shape(u64 accounts, u64 data_len, u64 signer) {
  REQUIRE(W.count >= accounts, NOT_ENOUGH_ACCOUNTS);
  REQUIRE(data_len == 0 || W.data_len == data_len, INVALID_INSTRUCTION_DATA);
  REQUIRE(signer >= accounts || W.account[signer].is_signer, MISSING_SIGNATURE);
  return 0;
}
#define NO_SIGNER 255

NOINLINE u64 read_clock(void) {
  return sol_get_clock_sysvar(&W.clock);
}

static inline int grace_is_over(u8 *c) {
  return W.clock.unix_time >= CLOSURE_STARTED_AT(c) + (i64)GRACE(c);
}

#endif
