/** A notice as the service seals it for this browser. */
type ShownNotice = { readonly title: string; readonly path: string; readonly tag: string }

const fallback: ShownNotice = { title: 'Ergon', path: '/notifications', tag: 'ergon' }

/**
 * What a message says; a browser that was sent something else shows a notice all the same, because one that shows
 * nothing loses its permission.
 */
export function noticeIn(text: string | undefined): ShownNotice {
  try {
    const { title, path, tag } = JSON.parse(text ?? '') as Partial<Record<keyof ShownNotice, unknown>>
    if (typeof title !== 'string' || title === '' || typeof path !== 'string') return fallback
    return { title: title.slice(0, 200), path: ownPath(path), tag: typeof tag === 'string' ? tag : path }
  } catch {
    return fallback
  }
}

/** A page of this app, wherever the message wanted to lead. */
function ownPath(path: string): string {
  return /^\/(?![/\\])[\w/-]*$/.test(path) ? path : fallback.path
}
