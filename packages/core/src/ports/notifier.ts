import type { Notice } from '../notices/notice.ts'

/** Tells workers what happened to their work, beside the stream of events (spec §6). */
export interface Notifier {
  /**
   * `told`, or `unreachable` where nobody listens under this wallet, which is no failure. A notice given again has the
   * same id. @throws when it may succeed later
   */
  notify(notice: Notice): Promise<'told' | 'unreachable'>
}
