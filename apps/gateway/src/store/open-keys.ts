import { channelAddress } from '@ergon/channels'
import type { Config, Secrets } from '../config/config.ts'
import { StartupError } from '../errors.ts'
import type { Database } from './database.ts'

type OpenRow = {
  readonly channel_id: string
  readonly payer: string
  readonly authorized_signer: string
  readonly salt: string
  readonly open_slot: string
}

/**
 * Refuses keys that open channels were not agreed with: calls would be sold for vouchers that the ledger takes from
 * nobody, and a channel could not be closed (decision 0298). A channel's id is derived from what it was agreed with.
 *
 * @throws StartupError naming the setting
 */
export async function requireKeysOfChannels(
  { query }: Pick<Database, 'query'>,
  { channelProgram, mint }: Pick<Config, 'channelProgram' | 'mint'>,
  { operator, voucher }: Pick<Secrets, 'operator' | 'voucher'>,
): Promise<void> {
  const [signed] = await query<{ count: number }>(
    `select count(*)::int as count from channels
     where status in ('opening', 'open') and voucher_signer = 'operator' and authorized_signer <> $1`,
    [voucher.address],
  )
  const others = signed?.count ?? 0
  if (others > 0)
    throw new StartupError(`GATEWAY_VOUCHER_KEY: open channels take vouchers of another key (${others}). ${wayOut}`)
  const newest = await query<OpenRow>(
    `select channel_id, payer, authorized_signer, salt::text, open_slot::text from channels
     where status in ('opening', 'open', 'closing') order by opened_at desc limit 20`,
  )
  const isOther = newest.some((row) => {
    const seeds = {
      ...{ payer: row.payer, payee: operator.address, mint, authorizedSigner: row.authorized_signer },
      ...{ salt: BigInt(row.salt), openSlot: BigInt(row.open_slot) },
    }
    return channelAddress(seeds, channelProgram).address !== row.channel_id
  })
  if (isOther)
    throw new StartupError(
      `GATEWAY_OPERATOR_KEY, the mint or the program: channels that are open were agreed with another. ${wayOut}`,
    )
}

const wayOut = 'Keep it until they are closed, or begin anew with another database'
