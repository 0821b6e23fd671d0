/*
 * A payment channel: a payer locks tokens once; vouchers signed by one key say how much of them is spent; anybody may
 * pay that out, split as was fixed at the start; the payer can leave alone after a grace period.
 *
 * Written from the tables of accounts, data and codes that a client of the deployed program needs. Left out: Token-2022
 * mints, and the events (instruction 228, which the deployed program calls on itself).
 */
#include "distribute.h"
#include "open.h"
#include "voucher.h"

/* settle: channel, instructions sysvar */
NOINLINE u64 settle(void) {
  TRY(expect_shape(2, 1, NO_SIGNER));
  TRY(load_channel(0));
  REQUIRE(STATUS(W.channel) == OPEN, E_STATUS);
  TRY(read_clock());
  return accept_voucher(1);
}

/* top_up: payer, channel, payer's tokens, escrow, mint, token program */
NOINLINE u64 top_up(void) {
  TRY(expect_shape(6, 9, 0));
  TRY(load_channel(1));
  u8 *c = W.channel;
  u64 amount = U64(W.data + 1);
  REQUIRE(STATUS(c) == OPEN, E_STATUS);
  REQUIRE(same_key(W.account[0].key, PAYER(c)), E_PAYER);
  REQUIRE(same_key(W.account[4].key, MINT(c)), E_MINT);
  REQUIRE(same_key(W.account[5].key, TOKEN_PROGRAM), INCORRECT_PROGRAM);
  REQUIRE(amount > 0, E_ZERO_AMOUNT);
  REQUIRE(DEPOSIT(c) + amount > DEPOSIT(c), INVALID_ARGUMENT);
  REQUIRE(is_ata(&W.account[3], W.account[1].key, MINT(c)), INVALID_SEEDS);
  TRY(pay_in(2, 3, 4, 0, amount));
  DEPOSIT(c) += amount;
  return 0;
}

/* settle_and_seal: payee, channel, instructions sysvar */
NOINLINE u64 settle_and_seal(void) {
  TRY(expect_shape(3, 2, 0));
  TRY(load_channel(1));
  u8 *c = W.channel;
  REQUIRE(same_key(W.account[0].key, PAYEE(c)), E_PAYEE);
  REQUIRE(W.data[1] <= 1, INVALID_INSTRUCTION_DATA);
  TRY(read_clock());
  REQUIRE(STATUS(c) == OPEN || (STATUS(c) == CLOSING && !grace_is_over(c)), E_STATUS);
  if (W.data[1] == 1) TRY(accept_voucher(2));
  STATUS(c) = SEALED;
  return 0;
}

/* request_close: payer, channel */
NOINLINE u64 request_close(void) {
  TRY(expect_shape(2, 1, 0));
  TRY(load_channel(1));
  u8 *c = W.channel;
  REQUIRE(same_key(W.account[0].key, PAYER(c)), E_PAYER);
  REQUIRE(STATUS(c) == OPEN, E_STATUS);
  TRY(read_clock());
  STATUS(c) = CLOSING;
  CLOSURE_STARTED_AT(c) = W.clock.unix_time;
  return 0;
}

/* seal: channel */
NOINLINE u64 seal(void) {
  TRY(expect_shape(1, 1, NO_SIGNER));
  TRY(load_channel(0));
  REQUIRE(STATUS(W.channel) == CLOSING, E_STATUS);
  TRY(read_clock());
  REQUIRE(grace_is_over(W.channel), E_GRACE_NOT_OVER);
  STATUS(W.channel) = SEALED;
  return 0;
}

/* withdraw_payer: payer, channel, escrow, payer's tokens, mint, token program */
NOINLINE u64 withdraw_payer(void) {
  TRY(expect_shape(6, 1, 0));
  TRY(load_channel(1));
  u8 *c = W.channel;
  REQUIRE(same_key(W.account[0].key, PAYER(c)), E_PAYER);
  REQUIRE(same_key(W.account[4].key, MINT(c)), E_MINT);
  REQUIRE(same_key(W.account[5].key, TOKEN_PROGRAM), INCORRECT_PROGRAM);
  REQUIRE(STATUS(c) == SEALED && PAYER_WITHDRAWN_AT(c) == 0, E_STATUS);
  REQUIRE(is_ata(&W.account[2], W.account[1].key, MINT(c)), INVALID_SEEDS);
  TRY(read_clock());
  TRY(pay_out(2, 3, 1, DEPOSIT(c) - SETTLED(c)));
  PAYER_WITHDRAWN_AT(c) = W.clock.unix_time;
  return 0;
}

/* reclaim: channel, rent payer */
NOINLINE u64 reclaim(void) {
  TRY(expect_shape(2, 1, NO_SIGNER));
  TRY(load_channel(0));
  REQUIRE(same_key(W.account[1].key, RENT_PAYER(W.channel)), E_RENT_PAYER);
  REQUIRE(STATUS(W.channel) == DISTRIBUTED, E_STATUS);
  TRY(read_clock());
  REQUIRE(can_be_reclaimed(W.channel), E_TOO_EARLY);
  deallocate(0, 1);
  return 0;
}

u64 entrypoint(u8 *input) {
  TRY(parse_input(input));
  REQUIRE(W.data_len > 0, INVALID_INSTRUCTION_DATA);
  u8 which = W.data[0];
  if (which == 1) return open();
  if (which == 2) return settle();
  if (which == 3) return top_up();
  if (which == 4) return settle_and_seal();
  if (which == 5) return request_close();
  if (which == 6) return seal();
  if (which == 7) return distribute();
  if (which == 8) return withdraw_payer();
  if (which == 9) return reclaim();
  return INVALID_INSTRUCTION_DATA;
}
