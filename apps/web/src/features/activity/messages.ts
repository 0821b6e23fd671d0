import { defineMessages } from '../../lib/messages.ts'

export const activityMessages = defineMessages({
  en: {
    title: 'Activity', lead: 'What happens to tasks here, as it happens.', live: 'Live', loading: 'Catching up …', reconnecting: 'The connection is lost; trying again …', paused: 'Paused', pause: 'Pause', resume: 'Go on', category: 'Category', any: 'Every category', none: 'Nothing has happened yet.', noneHelp: 'Events appear here by themselves when somebody publishes, is paid, or a task ends.', cut: 'More has happened before than can be shown here; this list begins now.', kept: 'The latest {count, number} events.', list: 'Events', see: 'See the task', amount: '{amount} bounty',
  },
  es: {
    title: 'Actividad', lead: 'Lo que pasa aquí con las tareas, en el momento.', live: 'En directo', loading: 'Poniéndose al día…', reconnecting: 'Se ha perdido la conexión; reintentando…', paused: 'En pausa', pause: 'Pausar', resume: 'Seguir', category: 'Categoría', any: 'Todas las categorías', none: 'Todavía no ha pasado nada.', noneHelp: 'Los eventos aparecen aquí solos cuando alguien publica, cobra o termina una tarea.', cut: 'Antes ha pasado más de lo que cabe aquí; esta lista empieza ahora.', kept: 'Los últimos {count, number} eventos.', list: 'Eventos', see: 'Ver la tarea', amount: 'recompensa de {amount}',
  },
})
