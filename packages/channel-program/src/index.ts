import { readFileSync } from 'node:fs'

/** Where the program lives, on the local ledger as on Solana's main network. It derives its addresses from here. */
export const channelProgramId = 'CHNLxYvVA28MJP9PrFuDXccuoGXAx7jBacfLEkahyGsX'

/** SHA-256 of the committed program, in lower-case hex. */
export const channelProgramSha256 = '696dc59f74448d08e2c932df0fa22134e945d1fd1818a34d6c4ba3ec4a832383'

/**
 * The program as a Solana loader takes it: an sBPF v0 shared object, made from `c/` by `tools/compile.ts`. It is not
 * audited: the local ledger and its tests run it, and nothing with money of worth.
 */
export function channelProgramElf(): Uint8Array {
  return readFileSync(new URL('../elf/channel.so', import.meta.url))
}
