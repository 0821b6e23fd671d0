import { useCallback, useState } from 'react'
import { useRouter, type NavigateOptions, type RouterHistory } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The address of the entry before, where this one was pushed by the app. */
    cameFrom?: string | undefined
    /** An entry that a dialog has to itself. */
    isDialog?: true
  }
}

/** Every entry of the history remembers which one of the app is before it; the browser keeps that over a reload. */
export function rememberWay(history: RouterHistory): void {
  const { push, replace } = history
  history.replace = (path, state, options) => {
    onceThere(() => {
      replace(path, { ...state, cameFrom: history.location.state.cameFrom }, options)
    })
  }
  history.push = (path, state, options) => {
    onceThere(() => {
      // Going where one is already is no step.
      const {
        href,
        state: { isDialog },
      } = history.location
      if (path === href && asDialog(state) === asDialog({ isDialog })) history.replace(path, state, options)
      else push(path, { ...state, cameFrom: href }, options)
    })
  }
}

const asDialog = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && Reflect.get(state, 'isDialog') === true

const longestWayMs = 1_000
let isOnTheWay = false

/** The browser takes its time to go back; what would go elsewhere meanwhile goes from where that ends. */
function onceThere(go: () => void): void {
  if (isOnTheWay) window.addEventListener('popstate', go, { once: true })
  else go()
}

/** One entry back, once: a second step on the way is none. */
export function stepBack(history: RouterHistory): void {
  if (isOnTheWay) return
  isOnTheWay = true
  const arrive = (): void => {
    isOnTheWay = false
  }
  window.addEventListener('popstate', arrive, { once: true })
  // Where there was nothing to go back to, nobody arrives.
  setTimeout(arrive, longestWayMs)
  history.back()
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

/** Goes to an address in the place of this entry of the history: back, where that is the one before. */
function useLeaving(): (isBefore: boolean, to: NavigateOptions) => Promise<void> {
  const router = useRouter()
  return useCallback(
    async (isBefore, to) => {
      if (!isBefore) {
        await router.navigate({ ...to, replace: true })
        return
      }
      stepBack(router.history)
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
