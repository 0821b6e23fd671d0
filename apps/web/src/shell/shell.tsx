import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { Address } from '../components/address.tsx'
import { LinkButton } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { Logo } from '../components/logo.tsx'
import { Portrait } from '../components/portrait.tsx'
import { WhenNeeded } from '../components/when-needed.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { WalletSheetPlace } from '../features/sign-in/wallet-sheet-place.tsx'
import { keepFocus } from '../lib/keep-focus.ts'
import { movedTo } from '../lib/moved-to.ts'
import { useSettings } from '../lib/settings-context.tsx'
import { useSignInDesk } from '../lib/signing-in-again.tsx'
import { useAskingBeforeLoss, useIsKeeping } from '../lib/use-is-keeping.ts'
import { UpdateNote } from '../offline/update-note.tsx'
import { useKeepingWallet, useOtherAccount, useSession } from '../wallet/wallet.tsx'
import { BottomNav } from './bottom-nav.tsx'
import { shellMessages } from './messages.ts'
import { NewsPlace } from './news-place.tsx'
import { OperatorLinks } from './operator-links.tsx'
import { PalettePlace } from './palette-place.tsx'
import { SignInDialog } from './sign-in-dialog.tsx'
import { SigningDialog } from './signing-dialog.tsx'
import { useScrollReturn } from './use-scroll-return.ts'

const navClass =
  'inline-flex min-h-11 items-center rounded-full px-3.5 text-[0.9375rem] font-label text-quiet hover:bg-sunken aria-[current=page]:bg-sunken aria-[current=page]:text-ink'

const More = lazy(async () => ({ default: (await import('./more.tsx')).More }))
const InsecureBar = lazy(async () => ({
  default: (await import('../features/sign-in/insecure-page.tsx')).InsecureBar,
}))
const MovedBar = lazy(async () => ({ default: (await import('../features/sign-in/moved-page.tsx')).MovedBar }))
// It brings the store of this device with it, which no first look needs.
const OutboxKeeper = lazy(async () => ({
  default: (await import('../components/outbox/outbox-keeper.tsx')).OutboxKeeper,
}))

/** The frame of every screen: the way to the others, who is signed in, and where signatures are explained. */
export function Shell(): ReactNode {
  const say = useMessages(shellMessages)
  const { wallet, isOver } = useSession()
  const { isMoreOpen, setMoreOpen } = useMore()
  useKeepingWallet()
  useFocusOnArrival()
  useScrollReturn()
  useFocusKept()
  return (
    <div className="shell grid min-h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr_auto]">
      <a href="#main" className="btn btn-primary fixed -top-40 left-4 max-w-[80%] z-30 focus:top-3">
        {say('skip')}
      </a>
      <header className="sticky top-0 z-10 border-line bg-page wide:border-b">
        <div className="flex min-h-15 items-center gap-1 px-(--gutter) py-2 wide:min-h-17">
          <Link
            to="/"
            className="mr-auto inline-flex min-h-11 shrink-0 items-center gap-2 font-display text-[1.3rem] leading-none font-bold tracking-[-0.03em] wide:mr-5"
          >
            <Logo />
            Ergon
          </Link>
          <MainMenu wallet={wallet} />
          <Person
            wallet={wallet}
            isMoreOpen={isMoreOpen}
            onMore={() => {
              setMoreOpen(true)
            }}
          />
        </div>
        <InsecureNote />
        <MovedNote />
        <OfflineNote />
        <OtherAccountNote />
        <SessionOverNote isOver={isOver} />
        <UpdateNote />
      </header>
      <main id="main" tabIndex={-1} className="min-h-dvh outline-none">
        <Outlet />
      </main>
      <Footer />
      <BottomNav
        wallet={wallet}
        isMoreOpen={isMoreOpen}
        onMore={() => {
          setMoreOpen(true)
        }}
      />
      <WhenNeeded needed={isMoreOpen}>
        <More
          open={isMoreOpen}
          onClose={() => {
            setMoreOpen(false)
          }}
        />
      </WhenNeeded>
      <SignInDialog />
      <SigningDialog />
      <WalletSheetPlace />
      <PalettePlace />
      {typeof wallet === 'string' && !isOver && (
        <Suspense>
          <OutboxKeeper key={wallet} wallet={wallet} />
        </Suspense>
      )}
    </div>
  )
}

function useFocusKept(): void {
  useEffect(() => {
    const focus = keepFocus(document)
    return () => {
      focus[Symbol.dispose]()
    }
  }, [])
}

/** Whether the menu is open: whoever goes somewhere is done with it. */
function useMore(): { readonly isMoreOpen: boolean; readonly setMoreOpen: (isOpen: boolean) => void } {
  const [isMoreOpen, setMoreOpen] = useState(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [shownAt, setShownAt] = useState(path)
  if (shownAt !== path) {
    setShownAt(path)
    setMoreOpen(false)
  }
  return { isMoreOpen, setMoreOpen }
}

type SignedInProps = {
  readonly wallet: string | null | undefined
}

function MainMenu({ wallet }: SignedInProps): ReactNode {
  const say = useMessages(shellMessages)
  return (
    <nav aria-label={say('mainMenu')} className="mr-auto hidden items-center gap-1 wide:flex">
      <Link to="/find" activeOptions={{ exact: true, includeSearch: false }} className={navClass}>
        {say('find')}
      </Link>
      <Link to="/publish" className={navClass}>
        {say('publish')}
      </Link>
      {typeof wallet === 'string' && (
        <>
          <Link to="/work" activeOptions={{ exact: true }} className={navClass}>
            {say('work')}
          </Link>
          <Link to="/my/tasks" activeOptions={{ exact: true }} className={navClass}>
            {say('myTasks')}
          </Link>
        </>
      )}
      <Link to="/services" activeOptions={{ exact: true }} className={navClass}>
        {say('services')}
      </Link>
    </nav>
  )
}

type PersonProps = SignedInProps & { readonly isMoreOpen: boolean; readonly onMore: () => void }

function Person({ wallet, isMoreOpen, onMore }: PersonProps): ReactNode {
  const say = useMessages(shellMessages)
  const { picture } = useSession()
  const isIn = typeof wallet === 'string'
  return (
    <div className="flex items-center gap-2">
      {wallet === null && (
        <>
          <Link to="/" activeOptions={{ exact: true }} className="btn btn-quiet text-[0.9375rem] max-wide:hidden">
            {say('how')}
          </Link>
          <LinkButton to="/sign-in" kind="primary" className="min-h-11 px-4 text-[0.9375rem]">
            {say('signIn')}
          </LinkButton>
        </>
      )}
      {isIn && (
        <Link to="/earnings" activeOptions={{ exact: true }} className={`${navClass} gap-2 max-wide:hidden`}>
          <Icon name="wallet" className="text-brand" />
          {say('money')}
        </Link>
      )}
      <NewsPlace />
      {isIn && (
        <Link to="/profile" aria-label={say('seeProfile')} className="icon-btn wide:hidden">
          <Portrait address={wallet} picture={picture} size={40} />
        </Link>
      )}
      <button
        type="button"
        aria-label={say('more')}
        aria-haspopup="dialog"
        aria-expanded={isMoreOpen}
        className={`icon-btn ${isIn ? 'max-wide:hidden' : ''}`}
        onClick={onMore}
      >
        {isIn ? <Portrait address={wallet} picture={picture} size={40} /> : <Icon name="dots-three-bold" />}
      </button>
    </div>
  )
}

function Footer(): ReactNode {
  const say = useMessages(shellMessages)
  return (
    <footer className="border-t border-line py-6 text-sm text-quiet">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-7 px-(--gutter)">
        <p>{say('footer')}</p>
        <Link to="/status" className="link inline-flex min-h-11 items-center">
          {say('status')}
        </Link>
        <Link to="/developers" className="link inline-flex min-h-11 items-center">
          {say('developers')}
        </Link>
        <OperatorLinks />
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
  const { wallet } = useSession()
  return (
    <div role="status">
      {other !== undefined && (
        <p className="bg-warn-soft px-4 py-2 text-center text-sm font-label text-warn">
          {say('otherAccount')} <Address value={other} />. {say('chooseAccount')} <Address value={wallet ?? ''} />.{' '}
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
        <p className="bg-warn-soft px-4 py-2 text-center text-sm font-label text-warn">
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

/** Not what a first look needs where the page is encrypted. */
function InsecureNote(): ReactNode {
  if (isSecureContext) return null
  return (
    <Suspense>
      <InsecureBar />
    </Suspense>
  )
}

/** Where nobody can sign in although the page is encrypted: the service goes by another name. */
function MovedNote(): ReactNode {
  const address = movedTo(useSettings(), location)
  if (address === undefined || !isSecureContext) return null
  return (
    <Suspense>
      <MovedBar address={address} />
    </Suspense>
  )
}

/** That there is no network, and that nothing is kept: with both, what is typed has nowhere to go. */
function OfflineNote(): ReactNode {
  const say = useMessages(shellMessages)
  const isOnline = useSyncExternalStore(subscribeToLine, () => navigator.onLine)
  const isKeeping = useIsKeeping()
  useAskingBeforeLoss()
  const says = [
    ...(isOnline ? [] : [say(isKeeping ? 'offline' : 'offlineUnkept')]),
    ...(isKeeping ? [] : [say('unkept')]),
  ].join(' ')
  return (
    <div role="status">
      {says !== '' && <p className="bg-warn-soft px-4 py-2 text-center text-sm font-label text-warn">{says}</p>}
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
