import type { ToSign } from './agent.ts'

/** A wallet looks before it signs: what is asked for is the bounty, in one part or in two. @throws when it is not */
export function checkAmount(asked: readonly Pick<ToSign, 'typedData'>[], bountyAtomic: bigint): void {
  const total = asked.reduce(
    (sum, { typedData: { message } }) => sum + BigInt(String(message['value'] ?? message['amount'])),
    0n,
  )
  if (total !== bountyAtomic)
    throw new Error(`asked to sign ${String(total)}, and the bounty is ${String(bountyAtomic)}`)
}
