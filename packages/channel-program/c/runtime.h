/*
 * The machine: what an sBPF v0 program is given and may call. Little endian; loads need no alignment.
 *
 * A function has at most five arguments and a small stack, so what is larger lives in `W`, at the start of the 32 KiB
 * heap, which the machine hands over zeroed.
 */
#ifndef RUNTIME_H
#define RUNTIME_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

#define U16(p) (*(u16 *)(p))
#define U32(p) (*(u32 *)(p))
#define U64(p) (*(u64 *)(p))
#define I64(p) (*(i64 *)(p))
#define NOINLINE static __attribute__((noinline))

/* Leaves the function with the code of whatever failed. */
#define TRY(call)           \
  do {                      \
    u64 code_ = (call);     \
    if (code_) return code_; \
  } while (0)
#define REQUIRE(condition, code) \
  do {                           \
    if (!(condition)) return code; \
  } while (0)

/* Codes of the machine; what is below 2^32 is a code of the program. */
#define BUILTIN(n) ((u64)(n) << 32)
#define INVALID_ARGUMENT BUILTIN(2)
#define INVALID_INSTRUCTION_DATA BUILTIN(3)
#define INVALID_ACCOUNT_DATA BUILTIN(4)
#define INCORRECT_PROGRAM BUILTIN(7)
#define MISSING_SIGNATURE BUILTIN(8)
#define ALREADY_INITIALIZED BUILTIN(9)
#define NOT_ENOUGH_ACCOUNTS BUILTIN(11)
#define INVALID_SEEDS BUILTIN(14)

/* The layouts below are those the machine reads at `sol_invoke_signed_c`. */
typedef struct {
  u8 *key;
  u64 *lamports;
  u64 data_len;
  u8 *data;
  u8 *owner;
  u64 rent_epoch;
  u8 is_signer;
  u8 is_writable;
  u8 executable;
} Account;
typedef struct {
  u8 *key;
  u8 is_writable;
  u8 is_signer;
} Meta;
typedef struct {
  const u8 *program;
  Meta *metas;
  u64 meta_count;
  u8 *data;
  u64 data_len;
} Instruction;
typedef struct {
  const u8 *bytes;
  u64 len;
} Slice;
typedef struct {
  const Slice *slices;
  u64 count;
} Seeds;
typedef struct {
  u64 slot;
  i64 epoch_start;
  u64 epoch;
  u64 leader_epoch;
  i64 unix_time;
} Clock;

extern u64 sol_invoke_signed_c(const Instruction *, const Account *, u64 accounts, const Seeds *, u64 signers);
extern u64 sol_try_find_program_address(const Slice *, u64 count, const u8 *program, u8 *address, u8 *bump);
extern u64 sol_sha256(const Slice *, u64 count, u8 *digest);
extern u64 sol_get_clock_sysvar(Clock *);
extern u64 sol_curve_validate_point(u64 curve, const u8 *point, u8 *unused);

/* `distribute` of 32 splits names 43. */
#define MAX_ACCOUNTS 48

typedef struct {
  Account account[MAX_ACCOUNTS];
  u64 count;
  const u8 *data;
  u64 data_len;
  const u8 *program;
  u8 *channel; /* data of the channel account, once `load_channel` has approved of it */
  Clock clock;
  Slice seed[8];
  Seeds signer;
  Meta meta[6];
  Instruction ix;
  u8 ix_data[64];
  u8 address[32];
  u8 digest[32];
  u8 bump;
} Work;
#define W (*(Work *)0x300000000ULL)

static inline int same_key(const u8 *a, const u8 *b) {
  return U64(a) == U64(b) && U64(a + 8) == U64(b + 8) && U64(a + 16) == U64(b + 16) && U64(a + 24) == U64(b + 24);
}

static inline void copy_key(u8 *to, const u8 *from) {
  U64(to) = U64(from);
  U64(to + 8) = U64(from + 8);
  U64(to + 16) = U64(from + 16);
  U64(to + 24) = U64(from + 24);
}

#define REALLOC_ROOM 10240

/* Reads the input region; a repeated account points at the same memory as its first mention. */
NOINLINE u64 parse_input(u8 *in) {
  u64 count = U64(in);
  in += 8;
  REQUIRE(count <= MAX_ACCOUNTS, INVALID_ARGUMENT);
  W.count = count;
  for (u64 i = 0; i < count; i++) {
    Account *a = &W.account[i];
    if (in[0] != 0xff) {
      Account *first = &W.account[in[0]];
      a->key = first->key;
      a->lamports = first->lamports;
      a->data_len = first->data_len;
      a->data = first->data;
      a->owner = first->owner;
      a->rent_epoch = first->rent_epoch;
      a->is_signer = first->is_signer;
      a->is_writable = first->is_writable;
      a->executable = first->executable;
      in += 8;
      continue;
    }
    a->is_signer = in[1];
    a->is_writable = in[2];
    a->executable = in[3];
    a->key = in + 8;
    a->owner = in + 40;
    a->lamports = (u64 *)(in + 72);
    a->data_len = U64(in + 80);
    a->data = in + 88;
    in += 88 + a->data_len + REALLOC_ROOM;
    in = (u8 *)(((u64)in + 7) & ~7ULL);
    a->rent_epoch = U64(in);
    in += 8;
  }
  W.data_len = U64(in);
  W.data = in + 8;
  W.program = in + 8 + W.data_len;
  return 0;
}

static inline void set_seed(u64 index, const u8 *bytes, u64 len) {
  W.seed[index].bytes = bytes;
  W.seed[index].len = len;
}

static inline void set_meta(u64 index, u8 *key, u8 is_writable, u8 is_signer) {
  W.meta[index].key = key;
  W.meta[index].is_writable = is_writable;
  W.meta[index].is_signer = is_signer;
}

/* Calls `program` with the metas and data set before; signs as the channel when `as_channel`. */
NOINLINE u64 invoke(const u8 *program, u64 metas, u64 data_len, u64 as_channel) {
  W.ix.program = program;
  W.ix.metas = W.meta;
  W.ix.meta_count = metas;
  W.ix.data = W.ix_data;
  W.ix.data_len = data_len;
  W.signer.slices = W.seed;
  W.signer.count = 8;
  return sol_invoke_signed_c(&W.ix, W.account, W.count, &W.signer, as_channel);
}

#endif
