import { onDevice } from '../../../lib/kept.ts'

/** What the service has to know of a browser to have it show notices. */
type DeviceKeys = { readonly endpoint: string; readonly p256dh: string; readonly auth: string }

const idKey = 'ergon.push'

export const canShowNotices = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** The subscription of this device that the service knows, as it was told last. */
export const idOfDevice = (): string | null => onDevice.read(idKey)

export function keepId(id: string | null): void {
  if (id === null) onDevice.forget(idKey)
  else onDevice.keep(idKey, id)
}

/** Asks the browser to take messages for this page. @throws where the person or the browser refuses */
export async function subscribeDevice(publicKey: string): Promise<DeviceKeys> {
  const { pushManager } = await navigator.serviceWorker.ready
  const own = await pushManager.getSubscription()
  // One that was made for another key is of no use to this service.
  if (own !== null && keyOf(own) !== publicKey) await own.unsubscribe()
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint, keys } = made.toJSON()
  const [p256dh, auth] = [keys?.['p256dh'], keys?.['auth']]
  if (endpoint === undefined || p256dh === undefined || auth === undefined)
    throw new TypeError('the subscription has no keys')
  return { endpoint, p256dh, auth }
}

/** The key of the service that this browser is subscribed under; undefined where it is not. */
export async function keyOfDevice(): Promise<string | undefined> {
  const { pushManager } = await navigator.serviceWorker.ready
  const own = await pushManager.getSubscription()
  return own === null ? undefined : keyOf(own)
}

export async function unsubscribeDevice(): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready
  await (await pushManager.getSubscription())?.unsubscribe()
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
