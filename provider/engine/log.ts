/** Says something to the user. A status is replaced by the next one, where the host can show it so. */
export type Log = (level: "info" | "warning" | "status", message: string) => void;
