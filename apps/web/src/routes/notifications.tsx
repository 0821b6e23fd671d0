import { lazy, Suspense, type ReactNode } from 'react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Button, LinkButton } from '../components/button.tsx'
import { choiceLink } from '../components/choice-link.ts'
import { Failure } from '../components/failure.tsx'
import { Icon } from '../components/icon.tsx'
import { Page } from '../components/page.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Empty, Loading, Note } from '../components/surface.tsx'
import { LiveNote } from '../features/notifications/live-note.tsx'
import { notificationsMessages } from '../features/notifications/messages.ts'
import { newsKinds, newsTable, type NewsKind } from '../features/notifications/news.ts'
import { NewsList } from '../features/notifications/news-list.tsx'
import { useNews } from '../features/notifications/use-news.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useAnchor } from '../lib/use-anchor.ts'
import { useSession } from '../wallet/wallet.tsx'

const PushCard = lazy(async () => ({
  default: (await import('../features/notifications/push/push-card.tsx')).PushCard,
}))
const MailCard = lazy(async () => ({
  default: (await import('../features/notifications/mail/mail-card.tsx')).MailCard,
}))

const SearchesCard = lazy(async () => ({
  default: (await import('../features/searches/searches-card.tsx')).SearchesCard,
}))

const route = getRouteApi('/notifications')

/** What concerns the person, as it happens, and what of it is new. */
export function NotificationsScreen(): ReactNode {
  const say = useMessages(notificationsMessages)
  const { wallet } = useSession()
  const search = route.useSearch()
  const how = useAnchor('how')
  // Whoever comes to save a search meets it first.
  const isSaving = search['save'] !== undefined
  const searches = (
    <Suspense>
      <SearchesCard search={search} />
    </Suspense>
  )
  return (
    <Page
      title={say('title')}
      lead={say('lead')}
      wide
      actions={
        typeof wallet === 'string' && (
          <LinkButton to="/notifications" search={search} hash="how" className="lg:hidden">
            <Icon name="gear" /> {say('how')}
          </LinkButton>
        )
      }
    >
      {wallet === null && <SignedOut what={say('signedOut')} />}
      {wallet === undefined && <SessionUnknown />}
      {typeof wallet === 'string' && (
        <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="grid min-w-0 gap-6">
            {isSaving && searches}
            <LiveNote wallet={wallet} />
            <Feed wallet={wallet} />
          </div>
          <div className="grid min-w-0 gap-4">
            <h2 ref={how} tabIndex={-1} className="outline-none">
              {say('how')}
            </h2>
            {!isSaving && searches}
            <Suspense>
              <PushCard />
              <MailCard />
            </Suspense>
          </div>
        </div>
      )}
    </Page>
  )
}

type KindProps = { readonly kind: NewsKind | undefined; readonly show: string | undefined }

function KindLinks({ kind, show }: KindProps): ReactNode {
  const say = useMessages(notificationsMessages)
  return (
    <nav aria-label={say('filter')} className="chip-row min-w-0">
      {[undefined, ...newsKinds].map((one) => (
        <Link
          {...choiceLink}
          key={one ?? ''}
          to="/notifications"
          search={{ show, kind: one }}
          replace
          resetScroll={false}
          aria-current={one === kind ? 'true' : undefined}
        >
          {say(one === undefined ? 'every' : `kind.${one}`)}
        </Link>
      ))}
    </nav>
  )
}

function Feed({ wallet }: { readonly wallet: string }): ReactNode {
  const say = useMessages(notificationsMessages)
  const { kind: named, show } = route.useSearch()
  const { news, error, retry, isCut, unread, markRead } = useNews(wallet)
  const kind = newsKinds.find((one) => one === named)
  const areStepsShown = show === 'all'
  if (error !== null && news === undefined) return <Failure error={error} retry={retry} />
  if (news === undefined) return <Loading says={say('loading')} />
  const wanted = news.filter(
    ({ type, isOwnStep }) => (kind === undefined || newsTable[type]?.kind === kind) && (areStepsShown || !isOwnStep),
  )
  const isAnyNew = news.some(({ id, isOwnStep }) => !isOwnStep && unread.has(id))
  return (
    <div className="grid gap-4">
      <KindLinks kind={kind} show={show} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p role="status" className="text-quiet">
          {say('total', { n: wanted.length })}
        </p>
        {isAnyNew && (
          <Button kind="quiet" onClick={markRead}>
            {say('read')}
          </Button>
        )}
      </div>
      {isCut && (
        <Note>
          <p>{say('cut')}</p>
        </Note>
      )}
      {error !== null && <Failure error={error} retry={retry} />}
      {wanted.length === 0 ? (
        <Empty title={say(kind === undefined ? 'none' : 'noneKind')}>
          <p className="text-quiet">{say('noneHelp')}</p>
          <LinkButton to="/find">{say('find')}</LinkButton>
        </Empty>
      ) : (
        <NewsList key={`${kind ?? ''} ${show ?? ''}`} news={wanted} unread={unread} />
      )}
      <Link
        to="/notifications"
        search={{ kind, show: areStepsShown ? undefined : 'all' }}
        replace
        resetScroll={false}
        className="link inline-flex min-h-11 items-center justify-self-start"
      >
        {say(areStepsShown ? 'newsOnly' : 'steps')}
      </Link>
    </div>
  )
}
