import { buildPlaceholder, cachePrefix, kindOfRequest, type KeptBuild } from './kept-build.ts'
import { noticeIn } from './shown-notice.ts'

// The page's library of types holds for the whole app; these few are what a worker has instead.
type WorkerEvent = Event & { readonly waitUntil: (work: Promise<unknown>) => void }
type FetchOfPage = WorkerEvent & {
  readonly request: Request
  readonly respondWith: (answer: Promise<Response>) => void
}
type PushOfService = WorkerEvent & { readonly data: { readonly text: () => string } | null }
type ClickOnNotice = WorkerEvent & { readonly notification: Notification }
type Page = {
  readonly navigate: (path: string) => Promise<Page | null>
  readonly focus: () => Promise<Page>
}
type Worker = {
  readonly addEventListener: {
    (type: 'install' | 'activate' | 'fetch', listener: (event: FetchOfPage) => void): void
    (type: 'push', listener: (event: PushOfService) => void): void
    (type: 'notificationclick', listener: (event: ClickOnNotice) => void): void
  }
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    readonly matchAll: (of: { readonly type: 'window' }) => Promise<readonly Page[]>
    readonly openWindow: (path: string) => Promise<unknown>
  }
}

const worker = self as unknown as Worker // this file runs as a service worker
// The build writes itself into the text.
const build = JSON.parse(buildPlaceholder) as KeptBuild
const cacheName = cachePrefix + build.id
const shell = '/'

/** Keeps the build whole, or fails and is tried again: half of it would mix with the half of another. */
async function keep(): Promise<void> {
  const page = await asked(shell)
  const markup = await page.clone().text()
  if (!markup.includes(build.entry)) throw new Error('the page is of another build than this worker')
  const cache = await caches.open(cacheName)
  await Promise.all([
    cache.put(shell, page),
    ...build.paths.map(async (path) => {
      await cache.put(path, await asked(path))
    }),
  ])
}

/** Asked as nobody: what is kept is the same for everyone. */
async function asked(path: string): Promise<Response> {
  const answer = await fetch(path, {
    credentials: 'omit',
    cache: path === shell ? 'reload' : 'default',
    headers: { accept: path === shell ? 'text/html' : '*/*' },
  })
  if (!answer.ok || answer.redirected) throw new Error(`${path} answered ${answer.status}`)
  return answer
}

/** Runs when no page of an older build is open any more. */
async function forgetOthers(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(
    names.filter((name) => name.startsWith(cachePrefix) && name !== cacheName).map((name) => caches.delete(name)),
  )
}

/** The newest page from the network; without one, the page of this build, whose files are all here. */
async function pageFor(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (offline) {
    const kept = await keptOf(shell)
    if (kept === undefined) throw offline
    return kept
  }
}

/** A file of this build from what is kept; one of another build only from the network, and never kept beside these. */
async function assetFor(request: Request): Promise<Response> {
  return (await keptOf(request)) ?? fetch(request)
}

async function keptOf(what: RequestInfo): Promise<Response | undefined> {
  return (await caches.open(cacheName)).match(what, { ignoreVary: true })
}

worker.addEventListener('install', (event) => {
  event.waitUntil(keep())
})
worker.addEventListener('activate', (event) => {
  event.waitUntil(forgetOthers())
})
worker.addEventListener('fetch', (event) => {
  const kind = kindOfRequest(event.request, location.origin)
  if (kind === 'page') event.respondWith(pageFor(event.request))
  if (kind === 'asset') event.respondWith(assetFor(event.request))
})

/** What happened, on the screen of the device; the words are the service's, in the language that was chosen. */
worker.addEventListener('push', (event) => {
  const { title, path, tag } = noticeIn(event.data?.text())
  event.waitUntil(worker.registration.showNotification(title, { tag, data: path, icon: '/icons/icon-192.png' }))
})
worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const path = typeof event.notification.data === 'string' ? event.notification.data : '/notifications'
  event.waitUntil(open(path))
})

/** In the page that is open already, or in a new one. */
async function open(path: string): Promise<unknown> {
  const [page] = await worker.clients.matchAll({ type: 'window' })
  if (page === undefined) return worker.clients.openWindow(path)
  try {
    await page.focus()
    return await page.navigate(path)
  } catch {
    // A page of another build is not this worker's to move.
    return worker.clients.openWindow(path)
  }
}
