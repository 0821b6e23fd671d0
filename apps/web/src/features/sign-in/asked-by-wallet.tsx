import { useRef, useState, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Note } from '../../components/surface.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { useFormat } from '../../lib/format.ts'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import { shortAddress } from '../../lib/short-address.ts'
import type { Deed } from '../../wallet/passkey/deed.ts'
import { PasskeyFault } from '../../wallet/passkey/faults.ts'
import { dollarsOf } from '../../wallet/passkey/limits.ts'
import type { SheetAsk } from '../../wallet/passkey/wallet-sheet.ts'
import { passkeyMessages } from './passkey-messages.ts'

/** What is signed, in words that were read from it, and the passphrase where one opens the wallet. */
export function AskedByWallet({ ask }: { readonly ask: SheetAsk }): ReactNode {
  const say = useMessages(passkeyMessages)
  const wordsOf = useWords()
  const [passphrase, setPassphrase] = useState('')
  const isPressed = useRef(false)
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (isPressed.current) ask.answer(passphrase)
        isPressed.current = false
      }}
    >
      {ask.deed !== undefined && <p className="text-lg font-semibold">{wordsOf(ask.deed)}</p>}
      <p className="text-quiet">{say('sheetOf', { name: ask.name })}</p>
      {ask.exact !== undefined && (
        <details>
          <summary className="cursor-pointer text-brand">{say('exact')}</summary>
          <pre
            className="mt-2 max-h-60 overflow-auto rounded-lg bg-sunken p-3 text-xs whitespace-pre-wrap"
            tabIndex={0}
          >
            {ask.exact}
          </pre>
        </details>
      )}
      {ask.isWrong && (
        <Note tone="bad" role="alert">
          {new PasskeyFault('wrongPassphrase').message}
        </Note>
      )}
      {ask.needsPassphrase && (
        <TextField
          label={say('passphrase')}
          type="password"
          autoComplete="current-password"
          value={passphrase}
          onChange={({ target }) => {
            setPassphrase(target.value)
          }}
        />
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={ask.refuse}>{say('refuse')}</Button>
        <Button
          type="submit"
          kind="primary"
          onClick={({ nativeEvent }) => {
            // A script can press a button and send a form; only a person's press is vouched for by the browser.
            isPressed.current = nativeEvent.isTrusted
          }}
        >
          {say(ask.deed === undefined ? 'open' : 'sign')}
        </Button>
      </div>
    </form>
  )
}

function useWords(): (deed: Deed) => string {
  const say = useMessages(passkeyMessages)
  const format = useFormat()
  const networkTitle = useNetworkTitle()
  const { locale } = useSpeech()
  const usd = (atomic: bigint): string => dollarsOf(atomic, locale)
  const momentOf = (seconds: number): string =>
    format.dateTime(new Date(Math.min(seconds, 8_000_000_000) * 1_000).toISOString())
  return (deed) => {
    switch (deed.kind) {
      case 'pays':
        return say('pays', {
          amount: usd(deed.atomic),
          payee: shortAddress(deed.payee),
          network: networkTitle(deed.network),
          until: momentOf(deed.until),
        })
      case 'releases':
      case 'returns':
      case 'approves':
        return say(deed.kind, { amount: usd(deed.atomic), payee: shortAddress(deed.payee) })
      case 'lets':
        return say('lets', { amount: usd(deed.atomic), from: momentOf(deed.from), until: momentOf(deed.until) })
      case 'divides':
        return say('divides', {
          worker: usd(deed.toWorker),
          payer: usd(deed.toPayer),
          who: shortAddress(deed.worker),
          until: momentOf(deed.until),
        })
      case 'rulesAll':
        return say(deed.for === 'worker' ? 'rulesForWorker' : 'rulesForPayer')
      case 'rulesSplit':
        return say('rulesSplit', { pct: String(deed.payerPct) })
      case 'signsIn':
        return say('signsIn', { site: deed.site })
      case 'calls':
        return say('calls', { method: deed.method, path: deed.path })
      case 'says':
        return say('says_')
      case 'rates':
      case 'names':
        return say(deed.kind)
    }
  }
}
