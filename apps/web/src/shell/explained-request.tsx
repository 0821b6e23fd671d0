import { useState, type ReactNode } from 'react'
import { networks } from '@ergon/protocols'
import { Address } from '../components/address.tsx'
import { Button } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { Money } from '../components/money.tsx'
import { useNetworkTitle } from '../components/network-title.ts'
import { Facts, Note } from '../components/surface.tsx'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import type { Intent, SigningRequest } from '../wallet/signing.ts'
import { explainedMessages as messages } from './explained-messages.ts'
import { MoneyWay } from './money-way.tsx'
import { partOfDirect } from './part-of-direct.ts'
import { useNeededChain } from './use-needed-chain.ts'

/** What one signature does, and the two ways on from it. */
export function ExplainedRequest({ request }: { readonly request: SigningRequest }): ReactNode {
  const say = useMessages(messages)
  const [asked, setAsked] = useState<SigningRequest>()
  const isAsked = asked === request
  // It comes right after the lock that it belongs to, under the same intent.
  const isSilence = request.subject.kind === 'document' && request.subject.document.primaryType === 'StandingOrder'
  const chain = useNeededChain(request)
  const intent = useIntentOfPart(request)
  return (
    <div className="grid gap-5">
      <div className="grid gap-1.5">
        <h3 className="font-display text-section leading-tight font-bold tracking-[-0.012em]">
          {isSilence ? say('silenceTitle') : intent.title}
        </h3>
        <p className="wrap-anywhere whitespace-pre-line text-quiet">
          {isSilence ? say('silenceSays') : (intent.explanation ?? say('opens'))}
        </p>
      </div>
      {!isSilence && <MoneyWay intent={intent} />}
      <IntentFacts request={{ intent, subject: request.subject }} isSilence={isSilence} />
      <Exactly request={{ intent, subject: request.subject }} />
      {chain.needed !== undefined && <OtherChain needed={chain.needed} failure={chain.failure} />}
      {isAsked && (
        <Note role="status" tone="move">
          {say('waiting')}
        </Note>
      )}
      <div className="grid gap-3">
        <div className="grid grid-cols-[auto_1fr] gap-3">
          <Button onClick={request.refuse}>{say('refuse')}</Button>
          {chain.needed === undefined ? (
            <Button
              kind="primary"
              busy={isAsked}
              onClick={() => {
                setAsked(request)
                request.agree()
              }}
            >
              {!isAsked && <Icon name="wallet-bold" />}
              {say('agree')}
            </Button>
          ) : (
            <SwitchChain needed={chain.needed} busy={chain.busy} change={chain.change} />
          )}
        </div>
        <p className="text-center text-micro text-quiet">
          {say(intent.amountUsd === undefined ? 'elseRefuse' : 'elseRefuseAmount')}
        </p>
      </div>
    </div>
  )
}

/** What is signed now: of a payment in two transfers the one that the wallet is about to show. */
function useIntentOfPart(request: SigningRequest): Intent {
  const say = useMessages(messages)
  const format = useFormat()
  const { intent } = request
  const part = partOfDirect(request)
  if (part === undefined) return intent
  const its = { ...intent, amountUsd: part.usd, receivedUsd: part.usd, mostLostUsd: part.usd }
  if (part.what === 'payout') return its
  const fee = format.usd(part.usd)
  return {
    ...its,
    title: say('feeTitle', { fee }),
    explanation: say('feeSays'),
    payee: part.to,
    payeeName: say('treasury'),
    payeePicture: null,
  }
}

type Chain = ReturnType<typeof useNeededChain>

function SwitchChain({
  needed,
  busy,
  change,
}: Pick<Chain, 'busy' | 'change'> & { readonly needed: number }): ReactNode {
  const say = useMessages(messages)
  const titleOf = useChainTitle()
  return (
    <Button kind="primary" busy={busy} onClick={change}>
      {say('switch', { network: titleOf(needed) })}
    </Button>
  )
}

function OtherChain({ needed, failure }: Pick<Chain, 'failure'> & { readonly needed: number }): ReactNode {
  const say = useMessages(messages)
  const titleOf = useChainTitle()
  return (
    <Note role="status" tone="warn" title={say('otherChain', { network: titleOf(needed) })}>
      {failure !== undefined && (
        <p>
          {failure === 'declined'
            ? say('declined')
            : failure === ''
              ? say('cannotSwitch')
              : say('switchFailed', { reason: failure })}
        </p>
      )}
    </Note>
  )
}

function useChainTitle(): (chainId: number) => string {
  const networkTitle = useNetworkTitle()
  return (chainId) => networkTitle(networkOf(chainId) ?? String(chainId))
}

/** Whoever wants to check: the wallets and the very text or document. */
function Exactly({ request: { intent, subject } }: Pick<FactsProps, 'request'>): ReactNode {
  const say = useMessages(messages)
  const rows: (readonly [string, ReactNode])[] = []
  if (intent.payer !== undefined) rows.push([say('payer'), <Address key="payer" value={intent.payer} />])
  if (intent.payee !== undefined) rows.push([say('payee'), <Address key="payee" value={intent.payee} />])
  return (
    <details>
      <summary className="link min-h-6 w-fit">{say('exact')}</summary>
      <div className="grid gap-3 pt-3">
        {rows.length > 0 && <Facts rows={rows} />}
        <pre className="max-h-60 overflow-auto rounded-control bg-sunken p-3 text-xs whitespace-pre-wrap" tabIndex={0}>
          {subject.kind === 'text' ? subject.text : JSON.stringify({ ...subject.document, types: undefined }, null, 2)}
        </pre>
      </div>
    </details>
  )
}

type FactsProps = { readonly request: Pick<SigningRequest, 'intent' | 'subject'>; readonly isSilence: boolean }

function IntentFacts({ request: { intent, subject }, isSilence }: FactsProps): ReactNode {
  const say = useMessages(messages)
  const format = useFormat()
  const networkTitle = useNetworkTitle()
  const network =
    intent.network ?? (subject.kind === 'document' ? networkOf(subject.document.domain.chainId) : undefined)
  const expiry = intent.expiresAt ?? (subject.kind === 'document' ? expiryOf(subject.document.message) : undefined)
  const rows: (readonly [string, ReactNode])[] = []
  if (intent.amountUsd !== undefined && intent.way === undefined)
    rows.push([say('amount'), <Money key="amount" usd={intent.amountUsd} />])
  rows.push([
    say('mostLost'),
    intent.mostLostUsd === 0 ? say('nothing') : <Money key="most" usd={intent.mostLostUsd} />,
  ])
  if (intent.comesBack !== undefined && !isSilence) rows.push([say('comesBack'), intent.comesBack])
  if (intent.boundUntil !== undefined && !isSilence) rows.push([say('boundUntil'), format.dateTime(intent.boundUntil)])
  // Payments are sent by the service: a wallet that pays for gas is not asked by this sheet.
  if (intent.way !== undefined) rows.push([say('networkFee'), say('noFee')])
  if (expiry !== undefined) rows.push([say('expiry'), format.dateTime(expiry)])
  if (network !== undefined) rows.push([say('network'), networkTitle(network)])
  return (
    <dl className="grid gap-2.5">
      {rows.map(([name, value]) => (
        // Large letters leave no room for both: what it costs is never cut off.
        <div key={name} className="flex flex-wrap items-baseline gap-x-4">
          <dt className="text-quiet">{name}</dt>
          <dd className="numbers grow basis-24 text-right wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function networkOf(chainId: number | undefined): string | undefined {
  return Object.values(networks).find((one) => one.chainId === chainId)?.name
}

/** The fields in which the documents that are signed here say when they end, in seconds. */
function expiryOf(message: Readonly<Record<string, unknown>>): string | undefined {
  const seconds = Number(message['validBefore'] ?? message['deadline'] ?? message['expiry'] ?? message['notAfter'])
  return Number.isSafeInteger(seconds) && seconds > 0 && seconds < 8_000_000_000
    ? new Date(seconds * 1_000).toISOString()
    : undefined
}
