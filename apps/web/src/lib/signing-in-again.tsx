import { createContext, use, useCallback, useSyncExternalStore, type ReactNode } from 'react'
import { ErgonError } from '@ergon/sdk'
import { refuseOtherSession } from './kept-wallet.ts'

export type SignedIn = { readonly wallet: string; readonly workerId: string | null }

/** A session that is over while a person does something. */
export type SignInAsk = {
  /** Who was signed in. */
  readonly wallet: string | null
  /** Ends it: whether the same person is signed in again. */
  readonly end: (isIn: boolean) => void
}

/** Where signing in again waits, beside the screen: nothing of it is lost meanwhile. */
export type SignInDesk = {
  readonly current: () => SignInAsk | undefined
  readonly subscribe: (listener: () => void) => () => void
  /** Asks once: whoever asks meanwhile hears the same answer. */
  readonly ask: () => Promise<boolean>
  /** Who the service said last in this page to be signed in; null once they signed out here. */
  readonly last: () => SignedIn | null
  readonly remember: (who: SignedIn | null) => void
}

export function createSignInDesk(): SignInDesk {
  let last: SignedIn | null = null
  let current: SignInAsk | undefined
  let answer: Promise<boolean> | undefined
  const listeners = new Set<() => void>()
  const show = (ask: SignInAsk | undefined): void => {
    current = ask
    for (const listener of listeners) listener()
  }
  return {
    current: () => current,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ask() {
      answer ??= new Promise<boolean>((resolve) => {
        show({ wallet: last?.wallet ?? null, end: resolve })
      }).finally(() => {
        answer = undefined
        show(undefined)
      })
      return answer
    },
    last: () => last,
    remember: (who) => {
      last = who
    },
  }
}

const SignInContext = createContext<SignInDesk | undefined>(undefined)

export function SignInDeskProvider({
  desk,
  children,
}: {
  readonly desk: SignInDesk
  readonly children: ReactNode
}): ReactNode {
  return <SignInContext value={desk}>{children}</SignInContext>
}

export function useSignInDesk(): SignInDesk {
  const desk = use(SignInContext)
  if (desk === undefined) throw new Error('there is no SignInDeskProvider above')
  return desk
}

/** The signing in that waits. */
export function useSignInAsk(): SignInAsk | undefined {
  const { subscribe, current } = useSignInDesk()
  return useSyncExternalStore(subscribe, current)
}

const ofNobody: readonly string[] = ['SESSION_REQUIRED', 'UNAUTHORIZED', 'SIGNATURE_REQUIRED']

/** What the service answers a person whose session is over: it did nothing. */
export function isOfNobody(error: unknown): boolean {
  return error instanceof ErgonError && ofNobody.includes(error.code)
}

/** Does something; where the session turns out to be over, asks to sign in and then does it again. */
export function useGoingOn(): <T>(what: () => Promise<T>) => Promise<T> {
  const { ask, last } = useSignInDesk()
  return useCallback(
    async (what) => {
      refuseOtherSession(last()?.wallet)
      try {
        return await what()
      } catch (error) {
        if (!isOfNobody(error) || !(await ask())) throw error
        return what()
      }
    },
    [ask, last],
  )
}
