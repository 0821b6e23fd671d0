import { useState, type ReactNode } from 'react'
import { networks } from '@ergon/protocols'
import { Address } from '../components/address.tsx'
import { Button } from '../components/button.tsx'
import { Money } from '../components/money.tsx'
import { useNetworkTitle } from '../components/network-title.ts'
import { Facts, Note } from '../components/surface.tsx'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { defineMessages } from '../lib/messages.ts'
import type { SigningRequest } from '../wallet/signing.ts'
import { useNeededChain } from './use-needed-chain.ts'

const messages = defineMessages({
  en: {
    payer: 'Who pays',
    payee: 'Who is paid',
    amount: 'Amount',
    mostLost: 'Most you can lose',
    expiry: 'Good until',
    network: 'Network',
    nothing: 'nothing',
    silenceTitle: 'Let silence pay for this task',
    silenceSays:
      'The second signature: if you say nothing until your time to look is over and the required checks passed, the worker is paid. It is for this one payment, once, and pays nothing beside it.',
    exact: 'Exactly what the wallet gets',
    agree: 'Open the wallet',
    refuse: 'Do not sign',
    waiting: 'Waiting for the wallet …',
    gasless: 'You pay no network fee.',
    otherChain: 'Your wallet is on another network. This is signed on {network}.',
    switch: 'Switch the wallet to {network}',
    declined: 'You did not switch. Nothing happened.',
    switchFailed: 'The wallet did not switch. It says: {reason}',
    cannotSwitch:
      'The wallet did not switch and gives no reason. Choose or add the network in the wallet itself; this goes on by itself then.',
  },
  es: {
    payer: 'Quién paga',
    payee: 'Quién cobra',
    amount: 'Importe',
    mostLost: 'Lo máximo que puedes perder',
    expiry: 'Válido hasta',
    network: 'Red',
    nothing: 'nada',
    silenceTitle: 'Deja que el silencio pague esta tarea',
    silenceSays:
      'La segunda firma: si no dices nada hasta que acabe tu tiempo para mirar y se superaron las comprobaciones exigidas, se paga a quien hizo el trabajo. Vale para este único pago, una vez, y no paga nada más.',
    exact: 'Exactamente lo que recibe la cartera',
    agree: 'Abrir la cartera',
    refuse: 'No firmar',
    waiting: 'Esperando a la cartera…',
    gasless: 'No pagas comisión de red.',
    otherChain: 'Tu cartera está en otra red. Esto se firma en {network}.',
    switch: 'Cambiar la cartera a {network}',
    declined: 'No has cambiado de red. No ha pasado nada.',
    switchFailed: 'La cartera no ha cambiado de red. Dice: {reason}',
    cannotSwitch:
      'La cartera no ha cambiado de red y no dice por qué. Elige o añade la red en la propia cartera; esto sigue solo después.',
  },
})

/** What one signature does, and the two ways on from it. */
export function ExplainedRequest({ request }: { readonly request: SigningRequest }): ReactNode {
  const say = useMessages(messages)
  const [asked, setAsked] = useState<SigningRequest>()
  const isAsked = asked === request
  // It comes right after the lock that it belongs to, under the same intent.
  const isSilence = request.subject.kind === 'document' && request.subject.document.primaryType === 'StandingOrder'
  const chain = useNeededChain(request)
  const networkTitle = useNetworkTitle()
  const titleOf = (chainId: number): string => networkTitle(networkOf(chainId) ?? String(chainId))
  return (
    <div className="grid gap-4">
      <p className="text-lg font-semibold">{isSilence ? say('silenceTitle') : request.intent.title}</p>
      {isSilence ? <p>{say('silenceSays')}</p> : request.intent.explanation && <p>{request.intent.explanation}</p>}
      <IntentFacts request={request} />
      <details>
        <summary className="cursor-pointer text-brand">{say('exact')}</summary>
        <pre className="mt-2 max-h-60 overflow-auto rounded-lg bg-sunken p-3 text-xs whitespace-pre-wrap" tabIndex={0}>
          {request.subject.kind === 'text'
            ? request.subject.text
            : JSON.stringify({ ...request.subject.document, types: undefined }, null, 2)}
        </pre>
      </details>
      {chain.needed !== undefined && (
        <Note role="status" tone="warn" title={say('otherChain', { network: titleOf(chain.needed) })}>
          {chain.failure !== undefined && (
            <p>
              {chain.failure === 'declined'
                ? say('declined')
                : chain.failure === ''
                  ? say('cannotSwitch')
                  : say('switchFailed', { reason: chain.failure })}
            </p>
          )}
        </Note>
      )}
      {isAsked && (
        <Note role="status" tone="move">
          {say('waiting')}
        </Note>
      )}
      <div className="flex flex-wrap justify-end gap-3">
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
            {say('agree')}
          </Button>
        ) : (
          <Button kind="primary" busy={chain.busy} onClick={chain.change}>
            {say('switch', { network: titleOf(chain.needed) })}
          </Button>
        )}
      </div>
    </div>
  )
}

function IntentFacts({ request: { intent, subject } }: { readonly request: SigningRequest }): ReactNode {
  const say = useMessages(messages)
  const format = useFormat()
  const networkTitle = useNetworkTitle()
  const network =
    intent.network ?? (subject.kind === 'document' ? networkOf(subject.document.domain.chainId) : undefined)
  const expiry = intent.expiresAt ?? (subject.kind === 'document' ? expiryOf(subject.document.message) : undefined)
  const rows: (readonly [string, ReactNode])[] = []
  if (intent.payer !== undefined) rows.push([say('payer'), <Address key="payer" value={intent.payer} />])
  if (intent.payee !== undefined) rows.push([say('payee'), <Address key="payee" value={intent.payee} />])
  if (intent.amountUsd !== undefined) rows.push([say('amount'), <Money key="amount" usd={intent.amountUsd} />])
  rows.push([
    say('mostLost'),
    intent.mostLostUsd === 0 ? say('nothing') : <Money key="most" usd={intent.mostLostUsd} />,
  ])
  if (expiry !== undefined) rows.push([say('expiry'), format.dateTime(expiry)])
  if (network !== undefined) rows.push([say('network'), networkTitle(network)])
  return <Facts rows={rows} />
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
