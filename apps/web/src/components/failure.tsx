import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { ErgonError } from '@ergon/sdk'
import { isDaysOff } from '../lib/clock.ts'
import { useMessages, useSpeech } from '../lib/i18n.tsx'
import type { Language } from '../lib/language.ts'
import { readOwedFee } from './fee-owed/owed-fee.ts'
import { isOfNobody, useSignInDesk } from '../lib/signing-in-again.tsx'
import { commonMessages } from '../messages/common-messages.ts'
import { OtherAccount } from '../wallet/other-account.ts'
import { SigningRefused, WalletFailed } from '../wallet/wallet-failed.ts'
import { Button } from './button.tsx'
import { Note } from './surface.tsx'

// Nearly nobody comes with the wallet of another, or owes anything.
const AsAnother = lazy(async () => ({ default: (await import('./as-another.tsx')).AsAnother }))
const FeeOwed = lazy(async () => ({ default: (await import('./fee-owed/fee-owed.tsx')).FeeOwed }))

type Explanation = { readonly says: string; readonly doNow: string }

/**
 * What went wrong in the reader's language, and what to do; a code that was kept is shown as its error. The texts come
 * when the first error does.
 */
export function useExplanation(error: unknown): Explanation | undefined {
  const { language } = useSpeech()
  const [told, setTold] = useState<{
    readonly of: unknown
    readonly language: Language
    readonly explanation: Explanation
  }>()
  useEffect(() => {
    if (error === null || error === undefined) return
    let isOver = false
    void explain(error, language).then((explanation) => {
      if (!isOver) setTold({ of: error, language, explanation })
    })
    return () => {
      isOver = true
    }
  }, [error, language])
  return told?.of === error && told?.language === language ? told?.explanation : undefined
}

async function explain(error: unknown, language: Language): Promise<Explanation> {
  const { textOfCode, textOfFault, textOfOtherAccount } = await import('../messages/errors.ts')
  if (typeof error === 'string')
    return textOfCode(error, language) ?? textOfFault(isBare(error) ? 'odd_answer' : error, language)
  // Which of the codes it is depends on the operation; to whoever was signed in they are one.
  if (isOfNobody(error)) return textOfCode('SESSION_REQUIRED', language) ?? textOfFault('odd_answer', language)
  if (error instanceof ErgonError)
    return (
      textOfCode(error.code, language) ??
      (isBare(error.code) ? textOfFault('odd_answer', language) : { says: error.message, doNow: error.recovery })
    )
  if (error instanceof OtherAccount) return textOfOtherAccount(error, language)
  if (error instanceof Error && error.name === 'ChallengeMismatch' && isDaysOff())
    return textOfFault('ClockOff', language)
  return textOfFault(
    error instanceof SigningRefused
      ? 'signing_refused'
      : error instanceof WalletFailed && error.isAsking
        ? 'WalletAsking'
        : error instanceof Error &&
            error.name in { ChallengeMismatch: 1, OtherSession: 1, WalletMissing: 1, WalletFailed: 1 }
          ? error.name
          : 'unknown',
    language,
  )
}

/** What the client makes of an answer that says nothing: a number, which tells nobody anything. */
const isBare = (code: string): boolean => code.startsWith('HTTP_')

/** The way in again, beside the screen, which stays as it is with what was typed. */
function SignInAgain({ retry }: { readonly retry: (() => void) | undefined }): ReactNode {
  const say = useMessages(commonMessages)
  const { ask } = useSignInDesk()
  return (
    <div>
      <Button
        kind="primary"
        onClick={() => {
          void ask().then((isIn) => {
            if (isIn) retry?.()
          })
        }}
      >
        {say('signIn')}
      </Button>
    </div>
  )
}

/** An error as a box; `retry` where the same again may work. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }): ReactNode {
  const say = useMessages(commonMessages)
  const explanation = useExplanation(error)
  if (explanation === undefined) return null
  const requestId = error instanceof ErgonError ? error.requestId : undefined
  const owed = readOwedFee(error)
  return (
    <Note tone={error instanceof SigningRefused ? 'warn' : 'bad'} role="alert" title={explanation.says}>
      {explanation.doNow !== '' && <p>{explanation.doNow}</p>}
      {error instanceof WalletFailed && error.reason !== '' && (
        <p className="text-sm">{say('walletSays', { reason: error.reason })}</p>
      )}
      {owed !== undefined && (
        <Suspense>
          <FeeOwed fee={owed} failed={(why) => <Failure error={why} />} />
        </Suspense>
      )}
      {requestId !== undefined && <p className="text-sm">{`ID ${requestId}`}</p>}
      {isOfNobody(error) && <SignInAgain retry={retry} />}
      {error instanceof ErgonError && error.is('FORBIDDEN') && (
        <Suspense>
          <AsAnother />
        </Suspense>
      )}
      {retry !== undefined && (
        <div>
          <Button onClick={retry}>{say('retry')}</Button>
        </div>
      )}
    </Note>
  )
}
