import {
  canTakeLastVoucher,
  planChannelEnd,
  readTokenAccount,
  treasuryOwners,
  type ChannelAccount,
  type ChannelStanding,
  type Instruction,
} from '@ergon/channels'
import type { SessionDeps } from '../session/deps.ts'
import { sellerBps } from '../session/challenges.ts'
import type { Channel } from '../store/channels.ts'
import { countAccount } from '../store/sponsored.ts'

/** What is sent next, and what is settled when it has landed. */
export type Next = { readonly instructions: readonly Instruction[]; readonly settles: bigint }

/**
 * What ends a channel as it is on its ledger. `waits`: it has to wait, for its payer's account perhaps. `seller waits`:
 * the seller's takes nothing.
 */
export async function planClosing(
  deps: SessionDeps,
  channel: Channel,
  account: ChannelAccount,
): Promise<Next | 'waits' | 'seller waits'> {
  const programs = { channelProgram: deps.config.channelProgram }
  const plan = planChannelEnd(await standingOf(deps, channel, account), programs)
  if (plan === 'payee waits') return 'seller waits'
  return plan === 'waits' ? plan : { instructions: plan.instructions, settles: plan.settled }
}

/**
 * The seller's account is made whenever it is missing: who sells is the operator's choice. One that is frozen or given
 * away takes nothing, and what is paid to it is lost for good: then its share waits. A payer's is made within a budget,
 * for one that closes its account each time would be paid the rent of a new one each time (decision 0284).
 */
async function standingOf(deps: SessionDeps, channel: Channel, account: ChannelAccount): Promise<ChannelStanding> {
  const { config, secrets, ledger, database } = deps
  const { channelId, payable, seller, payer } = channel
  const nowSec = await ledger.time()
  const treasuryOwner = treasuryOwners[config.network]
  const stateOf = async (owner: string) => (await readTokenAccount(ledger, owner, config.mint)).state
  const owners = [...new Set([seller, secrets.operator.address, treasuryOwner])]
  const states = await Promise.all(owners.map(stateOf))
  const missing = new Set(owners.filter((_, at) => states[at] === 'missing'))
  const ends = payable?.voucher.expiresAt ?? 0n
  const last = canTakeLastVoucher(account, nowSec) && (ends === 0n || nowSec < ends) ? payable : null
  const settled = last !== null && last.voucher.cumulative > account.settled ? last.voucher.cumulative : account.settled
  const isSellerOwed = settled > account.payoutWatermark
  const canSellerTake = ['missing', 'usable'].includes(states[owners.indexOf(seller)] ?? '')
  const hasRest = account.deposit > settled && account.payerWithdrawnAt === 0n
  const ofPayer = !hasRest || missing.has(payer) ? 'usable' : await stateOf(payer)
  if (ofPayer === 'missing' && (await countAccount(database, payer))) missing.add(payer)
  return {
    ...{ account, last, settled, nowSec },
    isPayeePayable: !isSellerOwed || canSellerTake,
    isPayerPayable: ofPayer === 'usable' || missing.has(payer),
    closing: {
      ...{ channelId, channel: account, splits: [{ recipient: seller, bps: sellerBps }], treasuryOwner },
      missingAccountsOf: [...missing],
    },
  }
}
