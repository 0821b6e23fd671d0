import type { Eip1193Provider } from '@ergon/sdk'
import { onDevice } from '../lib/kept.ts'
import type { DiscoveredWallet } from './discovery.ts'

const rdnsPrefix = 'local.ergon.test-wallet'

type Call = { readonly method: string; readonly params?: unknown }

/** Two people for whoever tries the whole job alone. */
export const testPersonas = ['ada', 'bruno'] as const
export type TestPersona = (typeof testPersonas)[number]

/**
 * A wallet of this browser on a local chain: its key lies open in the page's storage, so it is for test money alone.
 */
export function testWallet(persona: TestPersona, name: string): DiscoveredWallet {
  const rdns = `${rdnsPrefix}.${persona}`
  const provider: Eip1193Provider = {
    async request({ method, params }: Call) {
      const { answerAsTestWallet } = await import('./test-wallet-signer.ts')
      return answerAsTestWallet((create) => readKey(rdns, create), method, Array.isArray(params) ? params : [])
    },
  }
  return { uuid: rdns, name, icon: null, rdns, provider }
}

export const isTestWallet = ({ rdns }: Pick<DiscoveredWallet, 'rdns'>): boolean => rdns.startsWith(rdnsPrefix)

/** The key of one persona, made when it is first asked for. */
function readKey(name: string, create: () => string): string {
  const known = onDevice.read(name)
  if (known !== null) return known
  const key = create()
  onDevice.keep(name, key)
  return key
}

/** Asks the faucet of the local chain for test money. @throws Error when it gives none */
export async function fundTestWallet(faucetUrl: string, address: string): Promise<void> {
  const answer = await fetch(new URL('/fund', faucetUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address }),
    signal: AbortSignal.timeout(20_000),
  })
  if (!answer.ok) throw new Error(`the faucet answered ${answer.status}`)
}
