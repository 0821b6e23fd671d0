/* Splits: count u32, then (recipient 32, bps u16) each. Their sha256 is fixed at open; the payee has the remainder. */
#ifndef SPLITS_H
#define SPLITS_H

#include "layout.h"

#define MAX_SPLITS 32
#define SPLIT_SIZE 34
#define WHOLE_BPS 10000

#define SPLIT_RECIPIENT(p, i) ((u8 *)(p) + 4 + SPLIT_SIZE * (i))
#define SPLIT_BPS(p, i) U16(SPLIT_RECIPIENT(p, i) + 32)

NOINLINE u64 check_splits(const u8 *preimage, u64 len, const u8 *channel) {
  REQUIRE(len >= 4, INVALID_INSTRUCTION_DATA);
  u64 count = U32(preimage);
  REQUIRE(count <= MAX_SPLITS, E_SPLIT_COUNT);
  REQUIRE(len == 4 + SPLIT_SIZE * count, INVALID_INSTRUCTION_DATA);
  u64 sum = 0;
  for (u64 i = 0; i < count; i++) {
    u8 *recipient = SPLIT_RECIPIENT(preimage, i);
    REQUIRE(SPLIT_BPS(preimage, i) > 0, E_SPLIT_SHARE);
    sum += SPLIT_BPS(preimage, i);
    REQUIRE(!same_key(recipient, channel), E_SPLIT_CHANNEL);
    for (u64 j = 0; j < i; j++) REQUIRE(!same_key(recipient, SPLIT_RECIPIENT(preimage, j)), E_SPLIT_TWICE);
  }
  REQUIRE(sum <= WHOLE_BPS, E_SPLIT_SHARE);
  return 0;
}

NOINLINE u64 hash_splits(const u8 *preimage, u64 len) {
  W.seed[0].bytes = preimage;
  W.seed[0].len = len;
  return sol_sha256(W.seed, 1, W.digest);
}

/* floor(amount * bps / 10000) without a number wider than 64 bits. */
static inline u64 share_of(u64 amount, u64 bps) {
  return (amount / WHOLE_BPS) * bps + (amount % WHOLE_BPS) * bps / WHOLE_BPS;
}

#endif
