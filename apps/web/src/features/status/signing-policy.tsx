import type { ReactNode } from 'react'
import { Failure } from '../../components/failure.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { Card, Facts } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { statusMessages } from './messages.ts'

/** What the service takes as a signature, in words; all of it, word for word, for who builds on it. */
export function SigningPolicy(): ReactNode {
  const say = useMessages(statusMessages)
  const { data, error } = useRead('auth.signingPolicy', {}, { staleTime: 600_000 })
  const chainNames = useChainNames()
  const rules = data?.['policy']
  const seconds = field(rules, 'max_validity_sec')
  const chains = data?.['supported_chains']
  const wallets = walletsOf(data?.['account_verification'])
  return (
    <Card as="section" className="grid gap-3">
      <h2>{say('signing')}</h2>
      <p className="text-quiet">{say('signingLead')}</p>
      {error !== null && <Failure error={error} />}
      {data !== undefined && (
        <>
          <Facts
            rows={[
              ...(wallets === undefined ? [] : [[say('wallets'), say(`wallets.${wallets}`)] as const]),
              ...(Array.isArray(chains) ? [[say('chains'), chainNames(chains)] as const] : []),
              ...(typeof seconds === 'number' ? [[say('validity'), say('atMost', timeOf(seconds))] as const] : []),
              [say('use'), say(field(rules, 'require_nonce') === true ? 'once' : 'often')],
            ]}
          />
          <details className="fold">
            <summary>{say('raw')}</summary>
            <pre tabIndex={0} className="max-h-96 overflow-auto rounded-control bg-sunken p-3 text-sm">
              {JSON.stringify(data, null, 2)}
            </pre>
          </details>
        </>
      )}
    </Card>
  )
}

/** The networks of the accounts that may sign, by their titles. */
function useChainNames(): (ids: readonly unknown[]) => string {
  const format = useFormat()
  const titleOf = useNetworkTitle()
  const { data } = useRead('payments.networks', {}, { staleTime: Infinity })
  return (ids) =>
    format.list(
      ids.map((id) => {
        const network = data?.networks.find((one) => one.chain_id === id)
        return network === undefined ? String(id) : titleOf(network.name)
      }),
    )
}

/** What a service of another kind says stays in the whole text. */
function walletsOf(said: unknown): 'both' | 'keys' | undefined {
  return said === 'eoa+erc1271' ? 'both' : said === 'eoa' ? 'keys' : undefined
}

const timeOf = (seconds: number): { readonly unit: 'minute' | 'second'; readonly n: number } =>
  seconds % 60 === 0 ? { unit: 'minute', n: seconds / 60 } : { unit: 'second', n: seconds }

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
