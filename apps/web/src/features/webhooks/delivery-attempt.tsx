import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Badge } from '../../components/surface.tsx'
import { Moment } from '../../components/time.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { LiteralText } from './literal-text.tsx'
import { webhookMessages } from './messages.ts'

export type Delivery = Output<'webhooks.deliveries'>['deliveries'][number]
type Attempt = Delivery['attempts'][number]

/** One request and what came back. */
export function DeliveryAttempt({ attempt }: { readonly attempt: Attempt }): ReactNode {
  const say = useMessages(webhookMessages)
  const format = useFormat()
  const { response_status: code, response_headers: headers, response_body: body } = attempt
  const isGood = code !== null && code >= 200 && code < 300 && attempt.error === null
  const label = (name: 'requestHeaders' | 'responseHeaders' | 'responseBody'): string =>
    `${say(name)}, ${say('attempt', { n: attempt.attempt })}`
  return (
    <li className="grid min-w-0 gap-3 border-t border-line pt-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h4 className="font-semibold">{say('attempt', { n: attempt.attempt })}</h4>
        <Badge tone={isGood ? 'good' : 'bad'}>
          {code === null ? say('unanswered') : say('answered', { code: String(code) })}
        </Badge>
        <span className="numbers text-sm text-quiet">
          <Moment at={attempt.at} />
          {` · ${say('took', { ms: format.number(attempt.duration_ms) })}`}
        </span>
      </div>
      {attempt.error !== null && (
        <p className="wrap-anywhere">
          <span className="text-quiet">{`${say('why')}: `}</span>
          {attempt.error}
        </p>
      )}
      <details>
        <summary className="min-h-6 cursor-pointer text-sm font-semibold">{say('requestHeaders')}</summary>
        <LiteralText text={linesOf(attempt.request_headers)} label={label('requestHeaders')} />
      </details>
      {headers !== null && (
        <details>
          <summary className="min-h-6 cursor-pointer text-sm font-semibold">{say('responseHeaders')}</summary>
          <LiteralText text={linesOf(headers)} label={label('responseHeaders')} />
        </details>
      )}
      {body !== null && (
        <div className="grid gap-1">
          <p className="text-sm">
            <span className="font-semibold">{say('responseBody')}</span>
            <span className="text-quiet">{` · ${say(body === '' ? 'emptyBody' : 'bodyCut')}`}</span>
          </p>
          {body !== '' && <LiteralText text={body} label={label('responseBody')} />}
        </div>
      )}
    </li>
  )
}

const linesOf = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
