import { newsTable, type NewsKind } from '@ergon/contract/facts'
import type { NoticeLanguage, RecordedEvent } from '@ergon/core'

export type Notice = {
  readonly title: string
  /** In this app; names what it is about and nothing of what is in it. */
  readonly path: string
  /** A later notice of the same tag takes the place of an earlier one. */
  readonly tag: string
}

/** A lock screen is read by others: what happened in general, never a name, a title or an amount. */
const titles: Readonly<Record<NoticeLanguage, Readonly<Record<NewsKind, string>>>> = {
  en: {
    task: 'One of your tasks has changed',
    application: 'There is news of an application',
    work: 'Work was handed in or reviewed',
    money: 'There is news of a payment',
    dispute: 'There is news of a dispute',
    message: 'You have a new message',
    rating: 'You have a new rating',
    webhook: 'A webhook of yours was switched off',
    invitation: 'You were invited to a task',
    search: 'There are new tasks for a search of yours',
    portfolio: 'There is news about showing work on a profile',
  },
  es: {
    task: 'Una de tus tareas ha cambiado',
    application: 'Hay novedades de una candidatura',
    work: 'Se entregó o se revisó un trabajo',
    money: 'Hay novedades de un pago',
    dispute: 'Hay novedades de una disputa',
    message: 'Tienes un mensaje nuevo',
    rating: 'Tienes una valoración nueva',
    webhook: 'Se desactivó un webhook tuyo',
    invitation: 'Te han invitado a una tarea',
    search: 'Hay tareas nuevas para una de tus búsquedas',
    portfolio: 'Hay novedades sobre mostrar un trabajo en un perfil',
  },
}

export function noticeOf(
  { type, taskId, data }: Pick<RecordedEvent, 'type' | 'taskId' | 'data'>,
  isPublisher: boolean,
  language: NoticeLanguage,
): Notice {
  const { kind } = newsTable[type]
  const path = kind === 'money' && taskId === null ? '/earnings' : pathOf({ taskId, data }, isPublisher)
  return { title: titles[language][kind], path, tag: `${kind} ${taskId ?? ''}` }
}

function pathOf({ taskId, data }: Pick<RecordedEvent, 'taskId' | 'data'>, isPublisher: boolean): string {
  const { dispute_id: dispute, task_ids: found } = data
  if (typeof dispute === 'string') return `/disputes/${dispute}`
  // One new task is shown itself, several where their search leads on.
  if (Array.isArray(found) && found.length === 1) return `/tasks/${String(found[0])}`
  return taskId === null ? '/notifications' : `${isPublisher ? '/my/tasks' : '/tasks'}/${taskId}`
}
