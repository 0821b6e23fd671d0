import type { ErrorRow } from './error-text.ts'

/** Who is asking, and what is open to them. */
export const partyErrors = {
  UNAUTHORIZED: {
    en: ['Your wallet has to say yes to this.', 'Sign in with your wallet and try again.'],
    es: ['Tu cartera tiene que dar el visto bueno.', 'Inicia sesión con tu cartera e inténtalo de nuevo.'],
  },
  INVALID_SIGNATURE_HEADERS: {
    en: ['Your signature was not accepted.', 'Try again and sign once more; sign in again if it stays like this.'],
    es: ['Tu firma no ha sido aceptada.', 'Inténtalo y firma de nuevo; si sigue igual, vuelve a iniciar sesión.'],
  },
  authority_not_allowed: {
    en: [
      'You signed for another address than this site’s.',
      'Check the address in your browser, open the site again and sign there.',
    ],
    es: [
      'Has firmado para una dirección distinta de la de este sitio.',
      'Comprueba la dirección en el navegador, vuelve a abrir el sitio y firma allí.',
    ],
  },
  SIGNATURE_EXPIRED: {
    en: ['Your signature came too late or too early.', 'Check that the clock of your device is right and sign again.'],
    es: [
      'Tu firma ha llegado tarde o demasiado pronto.',
      'Comprueba que tu dispositivo tiene la hora correcta y firma de nuevo.',
    ],
  },
  SIGNATURE_REPLAYED: {
    en: ['This signature has been used before.', 'Check whether it was done; if not, sign once more.'],
    es: ['Esta firma ya se ha usado.', 'Mira si ya está hecho; si no, firma otra vez.'],
  },
  API_KEY_REFUSED: {
    en: ['This site takes no access keys.', 'Sign in with your wallet instead.'],
    es: ['Este sitio no admite claves de acceso.', 'Inicia sesión con tu cartera.'],
  },
  invalid_token: {
    en: ['The connection of this tool has ended.', 'Connect the tool again.'],
    es: ['La conexión de esta herramienta ha terminado.', 'Conecta la herramienta de nuevo.'],
  },
  insufficient_scope: {
    en: ['This tool may not do that.', 'Connect the tool again and allow what it asks for.'],
    es: ['Esta herramienta no tiene permiso para eso.', 'Conéctala de nuevo y permite lo que pide.'],
  },
  bearer_not_allowed: {
    en: ['Connected tools may not do that.', 'Do it here, with your own wallet.'],
    es: ['Las herramientas conectadas no pueden hacer eso.', 'Hazlo aquí, con tu cartera.'],
  },
  approval_amount_over_limit: {
    en: [
      'That is more than this tool may release at once.',
      'Nothing was paid. Approve it here, with your own wallet.',
    ],
    es: [
      'Es más de lo que esta herramienta puede liberar de una vez.',
      'No se ha pagado nada. Apruébalo aquí, con tu cartera.',
    ],
  },
  approval_count_exhausted: {
    en: ['This tool has used up its approvals.', 'Nothing was paid. Approve it here, or connect the tool again.'],
    es: [
      'Esta herramienta ha agotado sus aprobaciones.',
      'No se ha pagado nada. Apruébalo aquí o conecta la herramienta de nuevo.',
    ],
  },
  approval_budget_missing: {
    en: ['This tool has no limit to approve within.', 'Nothing was paid. Connect the tool again and set both limits.'],
    es: [
      'Esta herramienta no tiene ningún límite para aprobar.',
      'No se ha pagado nada. Conéctala de nuevo y fija los dos límites.',
    ],
  },
  approval_amount_unknown: {
    en: ['The amount to be released is not known.', 'Nothing was paid. Approve it here, with your own wallet.'],
    es: ['No se conoce el importe que se liberaría.', 'No se ha pagado nada. Apruébalo aquí, con tu cartera.'],
  },
  approval_budget_unavailable: {
    en: ['The approvals of this tool cannot be counted right now.', 'Nothing was paid. Try again in a moment.'],
    es: [
      'Ahora mismo no se pueden contar las aprobaciones de esta herramienta.',
      'No se ha pagado nada. Inténtalo de nuevo en un momento.',
    ],
  },
  INVALID_API_KEY: {
    en: ['The operator’s key is missing or wrong.', 'Enter the key of this deployment.'],
    es: ['La clave de operador falta o no es correcta.', 'Escribe la clave de este servicio.'],
  },
  FORBIDDEN: {
    en: ['This belongs to another person.', 'If it is yours, sign in with the wallet you used for it.'],
    es: ['Esto es de otra persona.', 'Si es tuyo, entra con la cartera que usaste.'],
  },
  SIGNATURE_REQUIRED: {
    en: ['Only the two people of this task may see this.', 'Sign in with the wallet you published or work with.'],
    es: ['Solo las dos partes de la tarea pueden ver esto.', 'Entra con la cartera con la que publicas o trabajas.'],
  },
  identity_required: {
    en: ['Your wallet has no public identity yet.', 'Create one on your profile; it takes a minute. Then try again.'],
    es: [
      'Tu cartera aún no tiene identidad pública.',
      'Créala en tu perfil; es un minuto. Después inténtalo de nuevo.',
    ],
  },
  PARTY_MISMATCH: {
    en: ['This task is meant for others: people, agents or robots.', 'Look for tasks that are open to you.'],
    es: ['Esta tarea es para otro tipo de participante: personas, agentes o robots.', 'Busca tareas abiertas para ti.'],
  },
  REPUTATION_TOO_LOW: {
    en: [
      'This task asks for more reputation than you have so far.',
      'Look for tasks that ask for less; every finished task adds to yours.',
    ],
    es: [
      'Esta tarea pide más reputación de la que tienes por ahora.',
      'Busca tareas que pidan menos; cada tarea terminada suma.',
    ],
  },
  WALLET_BLOCKED: {
    en: ['This wallet is banned from this service.', 'If you think that is a mistake, write to the operator.'],
    es: ['Esta cartera no puede usar el servicio.', 'Si crees que es un error, escribe al operador.'],
  },
  ACCOUNT_PROOF_DIFFERS: {
    en: [
      'This address is an account here already, and it proves itself in another way.',
      'Switch your wallet to the network on which you first used it here, and try again.',
    ],
    es: [
      'Esta dirección ya es una cuenta aquí y se identifica de otra manera.',
      'Cambia tu cartera a la red con la que la usaste aquí por primera vez e inténtalo de nuevo.',
    ],
  },
  SESSION_REQUIRED: {
    en: ['You are not signed in.', 'Sign in to go on. What you typed is kept.'],
    es: ['No has iniciado sesión.', 'Inicia sesión para continuar. Lo que has escrito se conserva.'],
  },
  SIGN_IN_REFUSED: {
    en: [
      'Signing in did not work.',
      'Try again: a new text is made for you to sign. Check the clock of your device if it happens twice.',
    ],
    es: [
      'No se ha podido iniciar sesión.',
      'Inténtalo de nuevo: se prepara otro texto para firmar. Si se repite, comprueba la hora de tu dispositivo.',
    ],
  },
  SESSION_NOT_FOR_PARTY: {
    en: [
      'This wallet is registered as an agent or a robot; signing in is for people.',
      'Use another wallet here, or let the agent work with its own tools.',
    ],
    es: [
      'Esta cartera está registrada como agente o robot; la sesión es para personas.',
      'Usa otra cartera aquí o deja que el agente trabaje con sus propias herramientas.',
    ],
  },
  ORIGIN_NOT_ALLOWED: {
    en: ['This site may not act for the service.', 'Open the service at its own address and try again there.'],
    es: [
      'Este sitio no puede actuar en nombre del servicio.',
      'Abre el servicio en su propia dirección e inténtalo allí.',
    ],
  },
  HOST_NOT_ALLOWED: {
    en: ['The service does not go by this address.', 'Open it at the address its operator gave you.'],
    es: ['El servicio no responde en esta dirección.', 'Ábrelo en la dirección que te dio su operador.'],
  },
  identity_check_unavailable: {
    en: ['Your identity cannot be checked right now.', 'Try again in a moment.'],
    es: ['Ahora mismo no se puede comprobar tu identidad.', 'Inténtalo de nuevo en un momento.'],
  },
  nonce_store_unavailable: {
    en: ['Signatures cannot be checked right now.', 'Try again in a moment.'],
    es: ['Ahora mismo no se pueden comprobar las firmas.', 'Inténtalo de nuevo en un momento.'],
  },
  RATE_LIMITED: {
    en: ['That was a lot at once.', 'Wait a minute and go on.'],
    es: ['Han sido muchas peticiones seguidas.', 'Espera un minuto y continúa.'],
  },
  LISTING_CAP_REACHED: {
    en: ['You offer 20 services, which is the most there can be at a time.', 'Pause one of them and try again.'],
    es: ['Ya ofreces 20 servicios, el máximo a la vez.', 'Pausa uno de ellos e inténtalo de nuevo.'],
  },
  AGENT_KEYS_DISABLED: {
    en: ['This service gives out no keys for agents.', 'Your agent signs with its wallet; no key is needed.'],
    es: ['Este servicio no entrega claves para agentes.', 'Tu agente firma con su cartera; no hace falta clave.'],
  },
  AGENT_KEY_REFUSED: {
    en: ['The key of the agent is not known.', 'Check it, or ask the operator for a new one.'],
    es: ['La clave del agente no se conoce.', 'Compruébala o pide otra al operador.'],
  },
  PARTY_BLOCKED: {
    en: [
      'One of you has blocked the other, so no work begins between you.',
      'Look for another person. Your profile shows whom you blocked.',
    ],
    es: [
      'Una de las dos partes ha bloqueado a la otra, así que no empezáis ningún trabajo.',
      'Busca a otra persona. En tu perfil ves a quién has bloqueado.',
    ],
  },
} as const satisfies Readonly<Record<string, ErrorRow>>
