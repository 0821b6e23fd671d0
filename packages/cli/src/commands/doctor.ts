import { networks } from '@ergon/protocols'
import { ErgonError, type Client } from '@ergon/sdk'
import type { Command } from '../command.ts'
import { columns } from '../help.ts'
import { nodeUrl } from '../node-url.ts'
import { tokenBalance } from '../token-balance.ts'
import type { Session } from '../session.ts'
import { identityOf } from './whoami.ts'

type Finding = { readonly check: string; readonly ok: boolean | null; readonly says: string }
const mostSkewMs = 5_000

export const doctor: Command = {
  words: ['doctor'],
  about: 'Look for what would go wrong: the clock, the service, signing, the chain, the balance, the identity.',
  options: { rpc: { value: 'URL', about: 'A node of the network, for the balance (ERGON_RPC_URL).' } },
  async run(call, session) {
    const client = session.client()
    const findings = [
      await finding('clock and service', () => skew(client)),
      await finding('signing', () => signing(client, session)),
      await finding('payments', () => payments(client)),
      await finding('network', () => network(client, session)),
      await finding('identity', () => identity(client, session)),
      await finding('balance', () => balance(session, call.text('rpc'))),
      { check: 'allowance', ok: true, says: 'none is needed: every payment is signed for its own amount' },
    ]
    const isWell = findings.every(({ ok }) => ok !== false)
    return {
      data: { healthy: isWell, findings },
      brief: isWell ? 'healthy' : 'unhealthy',
      ...(isWell ? {} : { exit: 'unavailable' as const }),
      lines: columns(
        findings.map(({ check, ok, says }) => [`${ok === null ? '? ' : ok ? 'ok' : 'NO'}  ${check}`, says] as const),
      ),
    }
  },
}

async function finding(check: string, look: () => Promise<Omit<Finding, 'check'>>): Promise<Finding> {
  try {
    return { check, ...(await look()) }
  } catch (error) {
    if (error instanceof ErgonError) return { check, ok: false, says: error.message.replace(`${error.code}: `, '') }
    return { check, ok: false, says: error instanceof Error ? error.message : String(error) }
  }
}

async function skew(client: Client): Promise<Omit<Finding, 'check'>> {
  const before = Date.now()
  const { timestamp, status, version } = await client.service.health()
  const off = Date.parse(timestamp) - (before + Date.now()) / 2
  const isNear = Math.abs(off) <= mostSkewMs
  return {
    ok: isNear && status === 'healthy',
    says: `version ${version}, ${status}; the clocks differ by ${(Math.abs(off) / 1_000).toFixed(1)} s${isNear ? '' : ': set this clock, signatures hold for a minute'}`,
  }
}

/** A read that only a signed caller may make. */
async function signing(client: Client, session: Session): Promise<Omit<Finding, 'check'>> {
  const policy = await client.auth.signingPolicy()
  const authorities = Array.isArray(policy['authorities']) ? policy['authorities'].map(String) : []
  const { host } = new URL(session.url())
  await client.disputes.list({ limit: 1 })
  return {
    ok: true,
    says: `a signed request was taken for ${host}${authorities.length > 0 ? ` (served: ${authorities.join(', ')})` : ''}`,
  }
}

async function payments(client: Client): Promise<Omit<Finding, 'check'>> {
  const [{ payment_mode, preferred_network }, { networks: up, facilitator }] = await Promise.all([
    client.service.config(),
    client.service.health(),
  ])
  const chain = up[preferred_network]
  return {
    ok: facilitator && chain !== false,
    says: `mode ${payment_mode} on ${preferred_network}; facilitator ${facilitator ? 'answers' : 'does not answer'}, chain ${chain === false ? 'does not answer' : 'answers'}`,
  }
}

/** Tasks of this profile are paid on its network, unless a task names another one. */
async function network(client: Client, session: Session): Promise<Omit<Finding, 'check'>> {
  const { preferred, networks: taken } = await client.payments.networks({})
  const { network: own = preferred } = session.profile()
  const names = taken.map(({ name }) => name)
  if (names.includes(own)) return { ok: true, says: `tasks are paid on ${own}, which this service takes` }
  const wayOut = 'name one as payment_network in a task, or make a profile with --network'
  return { ok: false, says: `the profile says ${own}, and this service takes ${names.join(', ')}: ${wayOut}` }
}

async function identity(client: Client, session: Session): Promise<Omit<Finding, 'check'>> {
  const agent = await identityOf(client, session.profile().address)
  return {
    ok: true,
    says: agent === null ? 'none yet; the first signed change registers one' : `ERC-8004 agent ${String(agent)}`,
  }
}

async function balance(session: Session, given: string | undefined): Promise<Omit<Finding, 'check'>> {
  const { address, network = 'localnet' } = session.profile()
  const rpc = nodeUrl(session, given)
  if (rpc === undefined) return { ok: null, says: 'not looked at: name a node with --rpc' }
  const token = Object.values(networks).find(({ name }) => name === network)?.tokens['USDC']
  if (token === undefined) return { ok: null, says: `${network} has no USDC in the table` }
  const atomic = await tokenBalance(rpc, token.address, address)
  return { ok: true, says: `${(Number(atomic) / 10 ** token.decimals).toFixed(2)} USDC on ${network}` }
}
