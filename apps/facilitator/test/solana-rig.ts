import { startSolana, type Solana } from '@ergon/dev-env'
import { createTestDatabase } from '@ergon/dev-env/testing'
import {
  computeLimitInstruction,
  computePriceInstruction,
  directPaymentInstructions,
  encodeTransaction,
  signTransaction,
  transferTokensInstruction,
  unsignedTransaction,
  type Instruction,
} from '@ergon/channels'
import { loadFastKeccak, toBase58 } from '@ergon/protocols'
import { facilitator as evm } from '../src/testing/payments.ts'
import { createClient, startFacilitator, type Client } from './harness.ts'
import { startRpcProxy, type RpcProxy } from './rpc-proxy.ts'
import { feePayer, payer, seller, treasury, worker, type Key } from './solana-keys.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

export * from './solana-keys.ts'

/** The cluster a public client knows by name; the ledger of the tests plays it. */
export const devnet = {
  genesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  caip2: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
}

export type SolanaWorld = AsyncDisposable & { readonly solana: Solana; readonly proxy: RpcProxy }

/** A ledger whose node tells devnet's genesis, with a fee payer and a payer that have what they need. */
export async function startSolanaWorld(lamports = 10_000_000_000n): Promise<SolanaWorld> {
  await using stack = new AsyncDisposableStack()
  const solana = stack.use(await startSolana())
  const proxy = stack.use(await startRpcProxy(solana.rpcUrl))
  proxy.rewrite = (methods, answer) =>
    methods.includes('getGenesisHash') ? answer.replace(solana.genesisHash, devnet.genesisHash) : answer
  await solana.fund(feePayer.address, { lamports })
  await solana.fund(payer.address, { tokens: 100_000_000n })
  await solana.fund(seller.address, { tokens: 0n })
  const owned = stack.move()
  return { solana, proxy, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

export function solanaEnv(
  { solana, proxy }: SolanaWorld,
  databaseUrl: string,
  env: Record<string, string> = {},
): Record<string, string> {
  return {
    FACILITATOR_PORT: '0',
    DATABASE_URL: databaseUrl,
    FACILITATOR_NETWORKS: 'solana',
    FACILITATOR_RPC_SOLANA: proxy.url,
    FACILITATOR_KEY: evm.privateKey,
    FACILITATOR_SOLANA_KEY: toBase58(feePayer.seed),
    FACILITATOR_SOLANA_GENESIS: devnet.genesisHash,
    FACILITATOR_SOLANA_MINT: solana.mint,
    FACILITATOR_LOG_LEVEL: 'fatal',
    ...env,
  }
}

/** A facilitator of that world, with a database of its own. */
export async function startSolanaFacilitator(
  world: SolanaWorld,
  env: Record<string, string> = {},
): Promise<AsyncDisposable & Client & { readonly databaseUrl: string }> {
  await loadFastKeccak()
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase(facilitatorSchema))
  const all = solanaEnv(world, database.url, env)
  const service = stack.use(await startFacilitator(all))
  const client = createClient(await service.listen())
  const owned = stack.move()
  return { ...client, databaseUrl: database.url, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** A transaction of these instructions, signed by these keys, in base64. */
export async function signedBy(
  { solana }: SolanaWorld,
  signers: readonly Key[],
  instructions: readonly Instruction[],
  of: { readonly feePayer?: string; readonly blockhash?: string } = {},
): Promise<string> {
  const blockhash = of.blockhash ?? (await solana.ledger.blockhash()).blockhash
  const unsigned = unsignedTransaction(of.feePayer ?? feePayer.address, blockhash, instructions)
  const seeds = new Map(signers.map(({ address, seed }) => [address, seed]))
  return Buffer.from(encodeTransaction(signTransaction(unsigned, seeds))).toString('base64')
}

export const transferOf = (world: SolanaWorld, change: object = {}): Instruction =>
  transferTokensInstruction({
    from: payer.address,
    to: seller.address,
    mint: world.solana.mint,
    amount: 250_000n,
    decimals: 6,
    ...change,
  })

let price = 1n
/** A compute budget that no other one here equals, so that no two payments are one. */
export const budget = (): readonly Instruction[] => [
  computeLimitInstruction(60_000),
  computePriceInstruction((price += 1n)),
]

export const requirementsOf = ({ solana }: SolanaWorld, change: object = {}): Record<string, unknown> => ({
  scheme: 'exact',
  network: devnet.caip2,
  asset: solana.mint,
  amount: '250000',
  payTo: seller.address,
  maxTimeoutSeconds: 60,
  extra: { feePayer: feePayer.address },
  ...change,
})

/** The body of verify and settle for an `exact` payment. */
export function exactBody(world: SolanaWorld, transaction: string, change: object = {}): Record<string, unknown> {
  const accepted = requirementsOf(world, change)
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted, payload: { transaction } },
    paymentRequirements: accepted,
  }
}

export async function anExact(world: SolanaWorld): Promise<Record<string, unknown>> {
  return exactBody(world, await signedBy(world, [payer], [...budget(), transferOf(world)]))
}

/** A bounty of ten dollars, paid 87 to 13 in one transaction. */
export async function aSplit(
  world: SolanaWorld,
  change: { readonly payees?: readonly { readonly owner: string; readonly amount: bigint }[] } = {},
): Promise<Record<string, unknown>> {
  const payees = change.payees ?? [
    { owner: worker.address, amount: 8_700_000n },
    { owner: treasury.address, amount: 1_300_000n },
  ]
  price += 1n
  const terms = { payer: payer.address, reference: 'task 1', computeUnits: 120_000, computePrice: price }
  const { mint } = world.solana
  const instructions = directPaymentInstructions({ ...terms, payees, mint, decimals: 6, feePayer: feePayer.address })
  const { computePrice, ...extra } = { ...terms, feePayer: feePayer.address }
  const paymentRequirements = {
    scheme: 'split',
    network: devnet.caip2,
    asset: mint,
    payees: payees.map(({ owner, amount }) => ({ payTo: owner, amount: amount.toString() })),
    extra: { ...extra, computePrice: computePrice.toString() },
  }
  const transaction = await signedBy(world, [payer], instructions)
  return { x402Version: 2, paymentPayload: { x402Version: 2, payload: { transaction } }, paymentRequirements }
}

/** What an owner's token account holds, as the ledger tells it: atomic units, undefined where there is none. */
export async function tokensOf({ solana }: SolanaWorld, owner: string): Promise<bigint | undefined> {
  const { associatedTokenAccount } = await import('@ergon/channels')
  const { readTokenAccount } = await import('@ergon/solana-ledger')
  const account = await solana.ledger.account(associatedTokenAccount(owner, solana.mint))
  return account === null ? undefined : readTokenAccount(account.data)?.amount
}
