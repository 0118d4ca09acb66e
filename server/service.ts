export const services = ["secrets", "cluster", "policy", "admin"] as const;

export type Service = (typeof services)[number];
