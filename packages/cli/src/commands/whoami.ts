import { ErgonError, type Client } from '@ergon/sdk'
import type { Command } from '../command.ts'

export const whoami: Command = {
  words: ['whoami'],
  about: 'The profile, its wallet and its identity.',
  async run(_call, session) {
    const { address, signer, network } = session.profile()
    const agent_id = await identityOf(session.client(), address)
    const data = {
      profile: session.profileName,
      address,
      url: session.url(),
      signer,
      network: network ?? null,
      agent_id,
    }
    return {
      data,
      brief: address,
      lines: [
        `${address} (${session.profileName})`,
        `  service   ${data.url}`,
        `  identity  ${agent_id === null ? 'none yet; the first signed change registers one' : `ERC-8004 agent ${String(agent_id)}`}`,
      ],
    }
  },
}

/** Null while the wallet has none. */
export async function identityOf(client: Client, wallet: string): Promise<number | null> {
  try {
    return (await client.reputation.identity({ wallet })).agent_id
  } catch (error) {
    if (error instanceof ErgonError && error.status === 404) return null
    throw error
  }
}
