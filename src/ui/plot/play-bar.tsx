export const PlayBar = () => null
