import type { ReactNode } from 'react'
import { Failure } from '../../components/failure.tsx'
import { Card, Facts } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { statusMessages } from './messages.ts'

/** The signing policy as it is enforced: its figures for people, all of it for who builds on it. */
export function SigningPolicy(): ReactNode {
  const say = useMessages(statusMessages)
  const format = useFormat()
  const { data, error } = useRead('auth.signingPolicy', {}, { staleTime: 600_000 })
  const rules = data?.['policy']
  const seconds = field(rules, 'max_validity_sec')
  const chains = data?.['supported_chains']
  return (
    <Card as="section" className="grid gap-3">
      <h2>{say('signing')}</h2>
      <p className="text-quiet">{say('signingLead')}</p>
      {error !== null && <Failure error={error} />}
      {data !== undefined && (
        <>
          <Facts
            rows={[
              ...(Array.isArray(chains) ? [[say('chains'), format.list(chains.map(String))] as const] : []),
              ...(typeof seconds === 'number' ? [[say('validity'), say('seconds', { n: seconds })] as const] : []),
              [say('nonce'), say(field(rules, 'require_nonce') === true ? 'required' : 'notRequired')],
              ...(typeof data['account_verification'] === 'string'
                ? [[say('contractWallets'), data['account_verification']] as const]
                : []),
            ]}
          />
          <details>
            <summary className="min-h-6 cursor-pointer font-semibold text-brand">{say('raw')}</summary>
            <pre tabIndex={0} className="mt-3 max-h-96 overflow-auto rounded-lg bg-sunken p-3 text-sm">
              {JSON.stringify(data, null, 2)}
            </pre>
          </details>
        </>
      )}
    </Card>
  )
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
