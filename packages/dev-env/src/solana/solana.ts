import { localKeys, localMint, startEmbeddedLedger, startRpcFront } from '@ergon/solana-ledger'
import type { EmbeddedLedger } from '@ergon/solana-ledger'
import { freePort } from '../ports.ts'

export type SolanaOptions = {
  /** Where the ledger's state lives and stays. Without it the ledger is forgotten when it stops. */
  readonly dataDir?: string
  /** The first port to try; the next free one is taken. Any free port without it. */
  readonly port?: number
}

/** The local Solana ledger as a service: an ordinary client works against `rpcUrl`. */
export type Solana = AsyncDisposable &
  Pick<EmbeddedLedger, 'ledger' | 'fund' | 'skip'> & {
    readonly rpcUrl: string
    readonly port: number
    /** Base58; tells this ledger from every other one, and does not change over a restart. */
    readonly genesisHash: string
    /** The token that counts as USDC, with six decimals. */
    readonly mint: string
    /** Ends the service after what it did is on disk. */
    stop(): Promise<void>
  }

/** What the local facilitator pays fees out of is filled up to this, and so outlasts any development. */
const enoughLamports = 100_000_000_000n

/** Starts the local Solana ledger and answers when it takes calls. @throws Error if its state cannot be read. */
export async function startSolana({ dataDir, port }: SolanaOptions = {}): Promise<Solana> {
  await using resources = new AsyncDisposableStack()
  const embedded = resources.use(await startEmbeddedLedger(dataDir === undefined ? {} : { dataDir }))
  const front = resources.use(await startRpcFront(embedded.machine, await freePort(port)))
  const feePayer = localKeys.feePayer.address
  const held = (await embedded.ledger.account(feePayer))?.lamports ?? 0n
  if (held < enoughLamports) await embedded.fund(feePayer, { lamports: enoughLamports })
  const genesisHash = await embedded.machine.genesisHash()
  const owned = resources.move()
  const stop = () => owned.disposeAsync()
  const { ledger, fund, skip } = embedded
  return {
    ledger,
    fund,
    skip,
    rpcUrl: front.url,
    port: front.port,
    genesisHash,
    mint: localMint,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
