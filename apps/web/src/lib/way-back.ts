import { useCallback, useState } from 'react'
import { useRouter, type NavigateOptions, type RouterHistory } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The address of the entry before, where this one was pushed by the app. */
    cameFrom?: string | undefined
    /** How many entries of the same page are right before this one. */
    samePageBefore?: number | undefined
    /** An entry that a dialog has to itself. */
    isDialog?: true
  }
}

/** Every entry of the history remembers which one of the app is before it; the browser keeps that over a reload. */
export function rememberWay(history: RouterHistory): void {
  const { push, replace } = history
  history.replace = (path, state, options) => {
    onceThere(() => {
      const { href, state: before } = history.location
      const samePageBefore = isPathOf(path, href) ? before.samePageBefore : 0
      replace(path, { ...state, cameFrom: before.cameFrom, samePageBefore }, options)
    })
  }
  history.push = (path, state, options) => {
    onceThere(() => {
      // Going where one is already is no step.
      const {
        href,
        state: { isDialog, samePageBefore = 0 },
      } = history.location
      if (path === href && asDialog(state) === asDialog({ isDialog })) history.replace(path, state, options)
      else
        push(path, { ...state, cameFrom: href, samePageBefore: isPathOf(path, href) ? samePageBefore + 1 : 0 }, options)
    })
  }
}

const isPathOf = (one: string, other: string): boolean => pathOf(one) === pathOf(other)
const pathOf = (href: string): string => href.replace(/[?#].*$/s, '')

const asDialog = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && Reflect.get(state, 'isDialog') === true

/** A busy machine takes seconds to go back; where nobody arrives, whoever goes on waits for so long. */
const longestWayMs = 5_000
let way: Promise<void> | undefined

/** The browser takes its time to go back; what would go elsewhere meanwhile goes from where that ends. */
function onceThere(go: () => void): void {
  if (way === undefined) go()
  else void way.then(go)
}

/** Over once the step back that the app itself has begun is; undefined where none is. */
export const wayUnderWay = (): Promise<void> | undefined => way

/**
 * One entry back, or so many, once: a second step on the way is none. Over once the browser is there: whoever went on
 * before would be taken back from where it went.
 */
export function stepBack(history: RouterHistory, entries = 1): Promise<void> {
  if (way !== undefined || history.length <= entries) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  way = promise
  const arrive = (): void => {
    clearTimeout(patience)
    window.removeEventListener('popstate', arrive)
    way = undefined
    resolve()
  }
  window.addEventListener('popstate', arrive)
  // Where the browser has forgotten the entry, nobody arrives.
  const patience = setTimeout(arrive, longestWayMs)
  if (entries === 1) history.back()
  else history.go(-entries)
  return promise
}

/** Forward leads nowhere else any more: a browser forgets what was ahead only when something else is put there. */
function closeAhead(history: RouterHistory): void {
  history.push(history.location.href, { isDialog: true })
  // Else the browser hears of it only after the step.
  history.flush()
  void stepBack(history)
}

type Place = { readonly pathname: string; readonly search: Readonly<Record<string, unknown>> }

/**
 * Whether `before` is the page of a dialog without the dialog: what `open` says behind `?` and `closed` does not, opens
 * it.
 */
export function isPageBelow(before: Place, open: Place, closed: Place): boolean {
  const opening = Object.keys(open.search).filter((name) => closed.search[name] === undefined)
  return (
    opening.length > 0 &&
    before.pathname === open.pathname &&
    opening.every((name) => before.search[name] === undefined)
  )
}

const trailing = /(?<=.)\/$/

/** Whether two addresses are those of one page, whatever is open on it. */
export function isSamePage(one: Pick<Place, 'pathname'>, other: Pick<Place, 'pathname'>): boolean {
  return one.pathname.replace(trailing, '') === other.pathname.replace(trailing, '')
}

/** Goes on from the page of its caller once something is done there; who has left it meanwhile is not led away. */
export function useGoOn(): (to: NavigateOptions) => Promise<void> {
  const router = useRouter()
  const [here] = useState(() => router.latestLocation)
  return useCallback(
    async (to) => {
      if (isSamePage(router.latestLocation, here)) await router.navigate(to)
    },
    [router, here],
  )
}

/**
 * As {@link useGoOn}, from a form of several steps: where it goes takes the place of all of them. Back leads to where
 * its writer was before, and Forward to no step, which would be empty.
 */
export function useGoOnFromSteps(): (to: NavigateOptions) => Promise<void> {
  const router = useRouter()
  const [here] = useState(() => router.latestLocation)
  return useCallback(
    async (to) => {
      if (!isSamePage(router.latestLocation, here)) return
      const { samePageBefore = 0 } = router.history.location.state
      if (samePageBefore > 0) await stepBack(router.history, samePageBefore)
      await router.navigate({ ...to, replace: true })
      if (samePageBefore > 0) closeAhead(router.history)
    },
    [router, here],
  )
}

/** Goes to an address in the place of this entry of the history: back, where that is the one before. */
function useLeaving(): (isBefore: boolean, to: NavigateOptions) => Promise<void> {
  const router = useRouter()
  return useCallback(
    async (isBefore, to) => {
      if (!isBefore) {
        await router.navigate({ ...to, replace: true })
        return
      }
      await stepBack(router.history)
    },
    [router],
  )
}

/**
 * Closes a dialog that the address says; `closed` is the page without it. Its entry of the history goes with it.
 * Whoever has gone elsewhere meanwhile is not led back.
 */
export function useCloseDialog(): (closed: NavigateOptions) => void {
  const router = useRouter()
  const leave = useLeaving()
  return useCallback(
    (closed) => {
      if (!isSamePage(router.latestLocation, router.buildLocation(closed))) return
      const { cameFrom } = router.history.location.state
      const isBelow =
        cameFrom !== undefined && isPageBelow(placeOf(cameFrom), router.latestLocation, router.buildLocation(closed))
      void leave(isBelow, { ...closed, resetScroll: false })
    },
    [router, leave],
  )
}

/** Leaves a screen that nobody wants to come back to. */
export function useLeaveTo(): (href: string) => Promise<void> {
  const { history } = useRouter()
  const leave = useLeaving()
  return useCallback((href) => leave(history.location.state.cameFrom === href, { href }), [history, leave])
}

function placeOf(href: string): Place {
  const { pathname, searchParams } = new URL(href, location.origin)
  return { pathname, search: Object.fromEntries(searchParams) }
}
