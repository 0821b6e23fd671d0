import { lazy, Suspense, useEffect, useRef, useSyncExternalStore, type ReactNode } from 'react'
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { Address } from '../components/address.tsx'
import { LinkButton } from '../components/button.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { keepFocus } from '../lib/keep-focus.ts'
import { useSignInDesk } from '../lib/signing-in-again.tsx'
import { UpdateNote } from '../offline/update-note.tsx'
import { useKeepingWallet, useOtherAccount, useSession } from '../wallet/wallet.tsx'
import { Menu } from './menu.tsx'
import { shellMessages } from './messages.ts'
import { NewsPlace } from './news-place.tsx'
import { SignInDialog } from './sign-in-dialog.tsx'
import { SigningDialog } from './signing-dialog.tsx'
import { useScrollReturn } from './use-scroll-return.ts'

const navClass =
  'inline-flex min-h-11 items-center rounded-lg px-3 font-semibold hover:bg-sunken aria-[current=page]:bg-brand-soft aria-[current=page]:text-brand'

// It brings the store of this device with it, which no first look needs.
const OutboxKeeper = lazy(async () => ({
  default: (await import('../features/outbox/outbox-keeper.tsx')).OutboxKeeper,
}))

/** What every screen stands in: the way to the others, who is signed in, and where signatures are explained. */
export function Shell(): ReactNode {
  const say = useMessages(shellMessages)
  const { wallet, isOver } = useSession()
  useKeepingWallet()
  useFocusOnArrival()
  useScrollReturn()
  useEffect(() => {
    const focus = keepFocus(document)
    return () => {
      focus[Symbol.dispose]()
    }
  }, [])
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr_auto]">
      <a
        href="#main"
        className="fixed -top-20 left-4 z-30 rounded-lg bg-brand px-4 py-3 font-semibold text-on-brand focus:top-3"
      >
        {say('skip')}
      </a>
      <header className="sticky top-0 z-10 border-b border-line bg-page/95 backdrop-blur">
        <div className="mx-auto flex max-w-7xl items-center gap-1 px-3 py-2 sm:px-6">
          <Link
            to="/"
            className="mr-2 inline-flex min-h-11 shrink-0 items-center gap-2 text-lg font-bold tracking-tight"
          >
            <img src="/icons/icon.svg" alt="" width="28" height="28" />
            Ergon
          </Link>
          <MainMenu wallet={wallet} />
          <Person wallet={wallet} />
        </div>
        <OfflineNote />
        <OtherAccountNote />
        <SessionOverNote isOver={isOver} />
        <UpdateNote />
      </header>
      <main id="main" tabIndex={-1} className="min-h-dvh outline-none">
        <Outlet />
      </main>
      <Footer />
      <SignInDialog />
      <SigningDialog />
      {typeof wallet === 'string' && !isOver && (
        <Suspense>
          <OutboxKeeper key={wallet} wallet={wallet} />
        </Suspense>
      )}
    </div>
  )
}

type SignedInProps = {
  readonly wallet: string | null | undefined
}

function MainMenu({ wallet }: SignedInProps): ReactNode {
  const say = useMessages(shellMessages)
  return (
    <nav aria-label={say('mainMenu')} className="hidden items-center gap-1 md:flex">
      <Link to="/" activeOptions={{ exact: true, includeSearch: false }} className={navClass}>
        {say('find')}
      </Link>
      <Link to="/publish" className={navClass}>
        {say('publish')}
      </Link>
      {typeof wallet === 'string' && (
        <Link to="/my/tasks" className={navClass}>
          {say('myTasks')}
        </Link>
      )}
      {typeof wallet === 'string' && (
        <Link to="/work" className={navClass}>
          {say('work')}
        </Link>
      )}
      <Link to="/services" activeOptions={{ exact: true }} className={navClass}>
        {say('services')}
      </Link>
    </nav>
  )
}

function Person({ wallet }: SignedInProps): ReactNode {
  const say = useMessages(shellMessages)
  return (
    <div className="ml-auto flex items-center gap-2">
      {wallet === null && (
        <LinkButton to="/sign-in" kind="primary">
          {say('signIn')}
        </LinkButton>
      )}
      {typeof wallet === 'string' && (
        <Link to="/profile" className={`${navClass} max-sm:hidden`}>
          <span className="visually-hidden">{say('signedInAs')}</span> <Address value={wallet} />
        </Link>
      )}
      <NewsPlace />
      <Menu />
    </div>
  )
}

function Footer(): ReactNode {
  const say = useMessages(shellMessages)
  return (
    <footer className="border-t border-line px-6 py-5 text-sm text-quiet">
      <div className="mx-auto flex max-w-7xl flex-wrap gap-x-6 gap-y-2">
        <p>{say('footer')}</p>
        <Link to="/status" className="link">
          {say('status')}
        </Link>
        <Link to="/developers" className="link">
          {say('developers')}
        </Link>
      </div>
    </footer>
  )
}

/** Going somewhere else puts the reader at the new heading, as a page load would. */
function useFocusOnArrival(): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const last = useRef(path)
  const router = useRouter()
  useEffect(() => {
    if (path === undefined || last.current === undefined || last.current === path) {
      last.current = path
      return
    }
    last.current = path
    const heading = document.querySelector<HTMLElement>('main h1')
    ;(heading ?? document.getElementById('main'))?.focus({ preventScroll: true })
  }, [path, router])
}

/** The wallet of the session went to another account: what is signed with that one is nothing of this session's. */
function OtherAccountNote(): ReactNode {
  const say = useMessages(shellMessages)
  const other = useOtherAccount()
  return (
    <div role="status">
      {other !== undefined && (
        <p className="bg-warn-soft px-4 py-2 text-center font-semibold text-warn">
          {say('otherAccount')} <Address value={other} /> ·{' '}
          <Link to="/sign-in" className="underline">
            {say('signInWithIt')}
          </Link>
        </p>
      )}
    </div>
  )
}

/** What is on the screen stays; what is asked of the service goes on after signing in. */
function SessionOverNote({ isOver }: { readonly isOver: boolean }): ReactNode {
  const say = useMessages(shellMessages)
  const { ask } = useSignInDesk()
  return (
    <div role="status">
      {isOver && (
        <p className="bg-warn-soft px-4 py-2 text-center font-semibold text-warn">
          {say('sessionOver')}{' '}
          <button
            type="button"
            className="min-h-6 underline"
            onClick={() => {
              void ask()
            }}
          >
            {say('signIn')}
          </button>
        </p>
      )}
    </div>
  )
}

function OfflineNote(): ReactNode {
  const say = useMessages(shellMessages)
  const isOnline = useSyncExternalStore(subscribeToLine, () => navigator.onLine)
  return (
    <div role="status">
      {!isOnline && <p className="bg-warn-soft px-4 py-2 text-center font-semibold text-warn">{say('offline')}</p>}
    </div>
  )
}

function subscribeToLine(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
