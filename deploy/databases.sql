create database ergon_facilitator;
