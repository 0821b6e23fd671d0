/* A voucher is proved by the Ed25519 instruction right before this one, in its canonical form of 162 bytes. */
#ifndef VOUCHER_H
#define VOUCHER_H

#include "addresses.h"
#include "layout.h"

#define PROOF_SIZE 162
#define PROOF_KEY 16
#define PROOF_MESSAGE 112

/* One signature; all offsets into this same instruction: signature 48, key 16, message 112 of 50 bytes. */
static const u8 PROOF_HEADER[16] = {1, 0, 48, 0, 0xff, 0xff, 16, 0, 0xff, 0xff, 112, 0, 50, 0, 0xff, 0xff};

/* The proof's data, or 0 with the reason in `*code`. */
NOINLINE const u8 *find_proof(u64 sysvar, u64 *code) {
  Account *a = &W.account[sysvar];
  *code = INVALID_ARGUMENT;
  if (!same_key(a->key, INSTRUCTIONS_SYSVAR)) return 0;
  *code = E_NO_PROOF;
  u64 current = U16(a->data + a->data_len - 2);
  if (current == 0) return 0;
  const u8 *before = a->data + U16(a->data + 2 + 2 * (current - 1));
  before += 2 + 33 * (u64)U16(before);
  if (!same_key(before, ED25519_PROGRAM)) return 0;
  *code = E_MALFORMED_PROOF;
  if (U16(before + 32) != PROOF_SIZE) return 0;
  const u8 *proof = before + 34;
  if (U64(proof) != U64(PROOF_HEADER) || U64(proof + 8) != U64(PROOF_HEADER + 8)) return 0;
  *code = 0;
  return proof;
}

/* Raises what is settled to the voucher's amount. */
NOINLINE u64 accept_voucher(u64 sysvar) {
  u8 *c = W.channel;
  u64 code;
  const u8 *proof = find_proof(sysvar, &code);
  if (!proof) return code;
  const u8 *message = proof + PROOF_MESSAGE;
  REQUIRE(same_key(proof + PROOF_KEY, SIGNER(c)), E_SIGNER);
  REQUIRE(message[0] == 0x56 && message[1] == 0x01, E_MAGIC);
  REQUIRE(same_key(message + 2, W.account[sysvar - 1].key), E_OTHER_CHANNEL);
  u64 cumulative = U64(message + 34);
  i64 expires_at = I64(message + 42);
  REQUIRE(expires_at == 0 || W.clock.unix_time < expires_at, E_EXPIRED);
  REQUIRE(cumulative > SETTLED(c), E_NOT_MONOTONIC);
  REQUIRE(cumulative <= DEPOSIT(c), E_OVER_DEPOSIT);
  SETTLED(c) = cumulative;
  return 0;
}

#endif
