import { buildPlaceholder, cachePrefix, kindOfRequest, type KeptBuild } from './kept-build.ts'

// The page's library of types stands for the whole app; these few are what a worker has instead.
type WorkerEvent = Event & { readonly waitUntil: (work: Promise<unknown>) => void }
type FetchOfPage = WorkerEvent & {
  readonly request: Request
  readonly respondWith: (answer: Promise<Response>) => void
}
type Worker = {
  readonly addEventListener: (type: 'install' | 'activate' | 'fetch', listener: (event: FetchOfPage) => void) => void
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
