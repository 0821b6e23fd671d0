import { formatUsd, type Offer, type SignedReleaseOrder } from '@ergon/core'
import { hashTypedData, type TypedData } from '@ergon/protocols'
import type { JobDeps } from './job.ts'
import type { Wallet } from './wallets.ts'

const most = 8
const asset = { symbol: 'USDC', network: 'localnet', decimals: 6 } as const

// A challenge is typed data that a wallet shows and signs.
const signedBy = (wallet: Wallet, document: unknown): string => wallet.sign(hashTypedData(document as TypedData))

/** The worker offers to share, and the publisher accepts by signing the same words (decision 0167). */
export async function settle(deps: JobDeps, worker: Wallet): Promise<void> {
  const { desk, random } = deps
  for (let attempt = 1; attempt <= most; attempt += 1) {
    const offer = (await standing(deps)) ?? (await propose(deps, worker))
    if (offer === 'over') return
    if (offer !== null && (await accept(deps, offer))) return
    await desk.pause(random.between(300, 2_500) * Math.min(attempt, 5))
  }
}

/** An offer that was made by a call whose answer was lost; or that the parties agreed already. */
async function standing({ desk, file: { publisher, taskId, name } }: JobDeps): Promise<Offer | 'over' | null> {
  const reply = await desk.ask(`${name}: ${publisher.name} reads the offers`, (market) =>
    market.offers(publisher.caller, taskId),
  )
  if (reply.kind !== 'done') return null
  if (reply.value.some(({ status }) => status === 'settled')) return 'over'
  return reply.value.find(({ status }) => status === 'open') ?? null
}

async function propose({ desk, file }: JobDeps, worker: Wallet): Promise<Offer | null> {
  const { taskId, name, bountyAtomic } = file
  const toWorker = formatUsd({ atomic: bountyAtomic / 2n, asset })
  const asked = await desk.ask(`${name}: ${worker.name} asks what to offer`, (market) =>
    market.offerChallenge(worker.caller, taskId, { toWorker, validHours: null }),
  )
  if (asked.kind !== 'done') return null
  const { nonce, expiresAt, typedData } = asked.value
  const signature = signedBy(worker, typedData)
  const reply = await desk.ask(`${name}: ${worker.name} offers half`, (market) =>
    market.proposeOffer(worker.caller, taskId, {
      toWorker,
      expiresAt,
      nonce,
      signature,
      message: null,
      payments: null,
    }),
  )
  return reply.kind === 'done' ? reply.value : null
}

/** True when it was said that the money moves. */
async function accept({ desk, file }: JobDeps, { id }: Offer): Promise<boolean> {
  const { publisher, name } = file
  const asked = await desk.ask(`${name}: ${publisher.name} asks what to accept`, (market) =>
    market.acceptChallenge(publisher.caller, id),
  )
  if (asked.kind !== 'done') return false
  const { typedData, release } = asked.value
  const signature = signedBy(publisher, typedData)
  const order: SignedReleaseOrder | null =
    release === null
      ? null
      : {
          signer: publisher.address,
          deadline: release.deadline,
          nonce: release.nonce,
          signature: signedBy(publisher, release.typedData),
        }
  const reply = await desk.ask(`${name}: ${publisher.name} accepts`, (market) =>
    market.acceptOffer(publisher.caller, id, { signature, order, payments: null }),
  )
  return reply.kind === 'done'
}
