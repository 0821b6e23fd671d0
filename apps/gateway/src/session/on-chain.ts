import { decodeChannel, type ChannelAccount } from '@ergon/channels'
import type { SessionDeps } from './deps.ts'

/**
 * A channel as its ledger has it; undefined where there is none. Lamports that a stranger put at the address of one
 * that is gone make an account of nobody's program.
 */
export async function channelOnChain(
  { config, ledger }: Pick<SessionDeps, 'config' | 'ledger'>,
  channelId: string,
): Promise<ChannelAccount | undefined> {
  const account = await ledger.account(channelId)
  return account?.owner === config.channelProgram ? decodeChannel(account.data) : undefined
}
