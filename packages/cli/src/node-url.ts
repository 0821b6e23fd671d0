import type { Session } from './session.ts'

/** Where `npm start` puts the node of the local chain unless the port is taken. */
const localNode = 'http://127.0.0.1:4022'

/** The node to ask: named on the line, in ERGON_RPC_URL or in the profile; of the local chain also the usual one. */
export function nodeUrl(session: Session, given: string | undefined): string | undefined {
  const { network, rpc_url } = session.profile()
  return given ?? session.env['ERGON_RPC_URL'] ?? rpc_url ?? (network === undefined || network === 'localnet' ? localNode : undefined)
}
